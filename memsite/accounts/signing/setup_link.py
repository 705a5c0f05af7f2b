"""The one-time link, printed at the start, with which the first administrator signs up."""

from __future__ import annotations

from django.urls import reverse

from memsite.accounts.models import Invitation
from memsite.accounts.signing.invitations import create_invitation, has_administrator


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
