"""The first administrator of a fresh site comes in by a one-time link that the start prints."""

from __future__ import annotations

from django.urls import reverse

from memsite.accounts.invitations import invite
from memsite.accounts.models import Invitation, User


def first_account_message(base_url: str) -> str | None:
    """How to make the first account of a fresh site, or None when there is a user already.

    Every call makes a new link; an unused one of an earlier start stops working.
    """
    if User.objects.exists():
        return None
    Invitation.objects.filter(created_by=None, makes_staff=True, used_at=None).delete()
    link = base_url + reverse("account_signup") + "?invitation=" + invite(None, makes_staff=True)
    return f"No account yet. Make the first one, an administrator's, here:\n  {link}"
