from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from memsite.accounts.models import User
from memsite.accounts.pruning import prune


def test_sessions_that_are_over_are_removed_and_the_others_stay(alice: User, bob: User) -> None:
    past, present = Client(), Client()
    past.force_login(alice)
    present.force_login(bob)
    Session.objects.filter(pk=past.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )
    assert prune() == 1
    assert present.get("/memories/").status_code == 200
