"""Record sign-ins, and mail a person about acts that somebody else could have done.

These are a new key and a sign-in on a new device. Nothing is mailed on a site without MEMSITE_SMTP_URL, nor
to a person without an e-mail address.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _

from memsite.accounts.audit import record_own
from memsite.accounts.models import ApiKey, AuditEntry, User
from memsite.accounts.preferences import get_preferences
from memsite.jobs import enqueue


def queue_key_alert(key: ApiKey) -> None:
    """Queue a mail to the owner of a new key."""
    if settings.MEMSITE_SMTP_URL and key.owner.email:
        enqueue("memsite.accounts.signing.alerts.mail_new_key", key.pk, key.owner_id, owner=key.owner_id)


def queue_device_alert(entry: AuditEntry) -> None:
    """Queue a mail to the person who signed in on a new device."""
    if settings.MEMSITE_SMTP_URL and entry.owner.email:
        enqueue(
            "memsite.accounts.signing.alerts.mail_new_device", entry.pk, entry.owner_id, owner=entry.owner_id
        )


def mail_new_key(key_id: str, owner_id: str) -> None:
    """Mail the owner of a new key: the task of `queue_key_alert`."""
    key = ApiKey.objects.filter(owner=UUID(owner_id), pk=UUID(key_id)).select_related("owner").first()
    if key is None:
        return
    with translation.override(get_preferences(key.owner_id).language or settings.LANGUAGE_CODE):
        text = _("The API key “%(name)s” was issued for your account %(account)s.")
        _mail(key.owner, _("A new API key"), text % {"name": key.name, "account": key.owner.username})


def mail_new_device(entry_id: str, owner_id: str) -> None:
    """Mail the person who signed in: the task of `queue_device_alert`."""
    entry = AuditEntry.objects.filter(owner=UUID(owner_id), pk=UUID(entry_id)).select_related("owner").first()
    if entry is None:
        return
    with translation.override(get_preferences(entry.owner_id).language or settings.LANGUAGE_CODE):
        text = _(
            "Somebody signed in to your account %(account)s on a new device: %(device)s, from %(address)s."
        )
        facts = {"account": entry.actor, "device": entry.detail or "?", "address": entry.address or "?"}
        _mail(entry.owner, _("A sign-in on a new device"), text % facts)


def _mail(person: User, subject: str, text: str) -> None:
    advice = _("If this was not you, change your password and revoke your keys: %(site)s")
    body = f"{text}\n\n{advice % {'site': settings.MEMSITE_BASE_URL}}\n"
    send_mail(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", body, None, [person.email])


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
