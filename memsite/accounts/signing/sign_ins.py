"""Sign-ins: each stands in the person's own record; the first on a device is mailed."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest

from memsite.accounts.audit import record_own
from memsite.accounts.models import AuditEntry, User
from memsite.accounts.signing.alerts import queue_device_alert

SIGN_IN: Final = "sign in"


def note_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    """A receiver of allauth's `user_logged_in`.

    A device is what the browser says it is. The first sign-in of all is that of the new account: no mail.
    """
    before = AuditEntry.objects.filter(owner=user, act=SIGN_IN)
    devices = set(before.values_list("detail", flat=True).distinct())
    entry = record_own(request, user, SIGN_IN, "sessions")
    if devices and entry.detail not in devices:
        queue_device_alert(entry)
