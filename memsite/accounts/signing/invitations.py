"""Invitations: one-time links with which a person, or the first administrator, signs up."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from memsite.accounts.models import Invitation, User

VALID_FOR: Final = timedelta(days=7)


def create_invitation(created_by: User | None, *, makes_staff: bool = False) -> str:
    """Create a one-time code, valid for 7 days. Only its SHA-256 is stored."""
    code = secrets.token_urlsafe(24)
    Invitation.objects.create(
        digest=_digest(code),
        makes_staff=makes_staff,
        created_by=created_by,
        expires_at=timezone.now() + VALID_FOR,
    )
    return code


def find_invitation(code: str) -> Invitation | None:
    """Return the unused, unexpired invitation of a code, or None.

    The first administrator's invitation is valid only until there is an administrator.
    """
    row = Invitation.objects.filter(digest=_digest(code), used_at=None, expires_at__gt=timezone.now()).first()
    if row is not None and row.makes_staff and row.created_by_id is None and has_administrator():
        return None
    return row


def has_administrator() -> bool:
    """Return whether the site has an active administrator."""
    return User.objects.filter(is_superuser=True, is_active=True).exists()


def redeem_invitation(invitation: Invitation, user: User) -> bool:
    """Use up the invitation for a new user; return False if somebody else used it first."""
    with transaction.atomic():
        taken = Invitation.objects.filter(pk=invitation.pk, used_at=None).update(used_at=timezone.now())
        if not taken:
            return False
        if invitation.makes_staff:
            # Set it on the object, too: a caller that holds it may save it again.
            user.is_staff = user.is_superuser = True
            user.save(update_fields=["is_staff", "is_superuser"])
        return True


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).digest()


def first_account_message(base_url: str) -> str | None:
    """Return how to create the first administrator's account, or None if there is an administrator.

    Ordinary accounts do not count: on a site with open sign-up a stranger may be quicker. Every call creates
    a new link; the unused one of an earlier start stops working.
    """
    if has_administrator():
        return None
    Invitation.objects.filter(created_by=None, makes_staff=True, used_at=None).delete()
    link = base_url + reverse("account_signup") + "?invitation=" + create_invitation(None, makes_staff=True)
    return f"No administrator yet. Make the administrator's account here:\n  {link}"
