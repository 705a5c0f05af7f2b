"""Record sign-ins in the person's audit record, and mail the first one on a new device."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest

from memsite.accounts.audit import record_own
from memsite.accounts.models import AuditEntry, User
from memsite.accounts.signing.alerts import queue_device_alert

SIGN_IN: Final = "sign in"


def note_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    """Record a sign-in: a receiver of allauth's `user_logged_in`.

    A device is what the browser says it is. The very first sign-in, of the new account itself, is not mailed.
    """
    before = AuditEntry.objects.filter(owner=user, act=SIGN_IN)
    devices = set(before.values_list("detail", flat=True).distinct())
    entry = record_own(request, user, SIGN_IN, "sessions")
    if devices and entry.detail not in devices:
        queue_device_alert(entry)
