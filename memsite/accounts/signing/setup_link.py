"""The first administrator of a site signs up by a one-time link that the start prints."""

from __future__ import annotations

from django.urls import reverse

from memsite.accounts.models import Invitation
from memsite.accounts.signing.invitations import has_administrator, invite


def first_account_message(base_url: str) -> str | None:
    """How to make the first administrator's account, or None when there is an administrator.

    Ordinary accounts do not count: on a site with open sign-up a stranger may be quicker.
    Every call makes a new link; an unused one of an earlier start stops working.
    """
    if has_administrator():
        return None
    Invitation.objects.filter(created_by=None, makes_staff=True, used_at=None).delete()
    link = base_url + reverse("account_signup") + "?invitation=" + invite(None, makes_staff=True)
    return f"No administrator yet. Make the administrator's account here:\n  {link}"
