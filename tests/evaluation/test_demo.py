"""The sample person of `manage.py demo`."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from evaluation.sample_person import EMAIL, USERNAME
from memories.models import Memory
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from tests.policy.sources import ROOT
from threads.models import Message, Thread

pytestmark = pytest.mark.django_db


def test_sample_person_comes_with_a_year_and_goes_in_one_step(alice: User) -> None:
    call_command("demo", "--password", "sample-secret-1")
    run_due_jobs()
    person = User.objects.get(username=USERNAME)
    said = Message.objects.filter(owner=person).order_by("created_at")
    assert (said.last().created_at - said.first().created_at).days > 350  # type: ignore[union-attr]  # there are some
    assert Thread.objects.filter(owner=person).count() == 25
    assert Memory.objects.filter(owner=person, content__contains="staging").exists()
    assert Memory.objects.filter(owner=person, content__regex="[一-龥]").exists()
    call_command("demo", "--remove")
    assert list(User.objects.all()) == [alice]
    assert not Memory.objects.exists()


def test_person_who_only_has_the_name_is_left_alone() -> None:
    User.objects.create_user(username=USERNAME, email=f"other-{EMAIL}", password="other-secret-1")
    call_command("demo", "--remove")
    with pytest.raises(CommandError, match="already"):
        call_command("demo")
    assert User.objects.count() == 1


def test_command_on_a_database_that_is_not_set_up_says_so_in_one_line() -> None:
    # The database of DATABASE_URL has no tables: those of the tests have others.
    command = (sys.executable, "manage.py", "demo")
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)  # noqa: S603 - our own command
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].startswith("Error: the database is not set up yet")
