"""Forgetting sessions that are over."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone


def prune() -> int:
    """Delete the expired sessions of all people; their number."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]
