"""Sign-up, invitations, user names and second factors."""

from memsite.accounts.signing.adapter import VOID_INVITATION, NameTaken, drop_void_invitation, get_invitation
from memsite.accounts.signing.admin_entry import guard_admin
from memsite.accounts.signing.alerts import note_sign_in, queue_key_alert
from memsite.accounts.signing.invitations import create_invitation

__all__ = [
    "VOID_INVITATION",
    "NameTaken",
    "create_invitation",
    "drop_void_invitation",
    "get_invitation",
    "guard_admin",
    "note_sign_in",
    "queue_key_alert",
]
