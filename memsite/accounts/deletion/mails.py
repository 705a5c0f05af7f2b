"""Mail a person about a deletion: that it was requested, and what it deleted.

Nothing is mailed on a site without MEMSITE_SMTP_URL, nor to a person without an e-mail address.
"""

from __future__ import annotations

import smtplib
from uuid import UUID

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memsite.accounts.deletion.stored_data import list_unreachable
from memsite.accounts.models import DeletionRequest, DeletionScope
from memsite.accounts.preferences import get_preferences
from memsite.jobs import enqueue

log = structlog.get_logger(__name__)


def queue_request_mail(row: DeletionRequest) -> None:
    """Queue a mail that a deletion was requested, because somebody else could have done it."""
    if _has_address(row):
        enqueue("memsite.accounts.deletion.mails.mail_request", row.pk, row.owner_id, owner=row.owner_id)


def queue_receipt_mail(row: DeletionRequest) -> None:
    """Queue a mail with the receipt of a deletion after which the account stays."""
    if _has_address(row):
        enqueue("memsite.accounts.deletion.mails.mail_receipt", row.pk, row.owner_id, owner=row.owner_id)


def mail_request(deletion_id: str, owner_id: str) -> None:
    """Mail that a deletion was requested: the task of `queue_request_mail`."""
    row = _find(deletion_id, owner_id)
    if row is None or not row.is_open:
        return
    with translation.override(get_preferences(row.owner_id).language or settings.LANGUAGE_CODE):
        text = _(
            "The deletion of your data was requested for your account %(account)s. It begins after "
            "%(date)s.\nIf this was not you, or you think otherwise, sign in and call it off: %(site)s"
        )
        facts = {
            "account": row.owner.username,
            "date": date_format(row.due_at, "DATE_FORMAT"),
            "site": settings.MEMSITE_BASE_URL,
        }
        _mail(row, _("Your data will be deleted"), text % facts)


def mail_receipt(deletion_id: str, owner_id: str) -> None:
    """Mail the receipt of a deletion: the task of `queue_receipt_mail`."""
    row = _find(deletion_id, owner_id)
    if row is not None:
        _mail_receipt(row)


def mail_account_receipt(row: DeletionRequest) -> None:
    """Mail the receipt of the deletion of an account, right before the account is deleted.

    A mail server that fails does not keep the account.
    """
    if not _has_address(row):
        return
    try:
        _mail_receipt(row)
    except (OSError, smtplib.SMTPException) as error:
        log.warning("a receipt was not mailed", kind=type(error).__name__)


def _mail_receipt(row: DeletionRequest) -> None:
    with translation.override(get_preferences(row.owner_id).language or settings.LANGUAGE_CODE):
        is_account = row.scope == DeletionScope.ACCOUNT
        began = (
            _("Your account %(account)s is deleted, with everything in it.")
            if is_account
            else _("Your memories and threads are deleted. Your account %(account)s stays.")
        )
        lines = [f"  {_(name)}: {count}" for name, count in row.erased.items()]
        places = [f"  {_(place)}" for place in list_unreachable()]
        body = [
            began % {"account": row.owner.username},
            "",
            _("What was deleted:"),
            *lines,
            "",
            _("What no program of ours reaches at once"),
            *places,
        ]
        _mail(row, _("Your data was deleted"), "\n".join(body))


def _mail(row: DeletionRequest, subject: str, text: str) -> None:
    send_mail(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", f"{text}\n", None, [row.owner.email])


def _has_address(row: DeletionRequest) -> bool:
    return bool(settings.MEMSITE_SMTP_URL and row.owner.email)


def _find(deletion_id: str, owner_id: str) -> DeletionRequest | None:
    rows = DeletionRequest.objects.filter(owner=UUID(owner_id), pk=UUID(deletion_id))
    return rows.select_related("owner").first()
