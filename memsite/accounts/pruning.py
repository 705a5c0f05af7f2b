"""Delete expired sessions."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone


def prune() -> int:
    """Delete the expired sessions of all people, also from their session lists. Return the number."""
    deleted = Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    return deleted
