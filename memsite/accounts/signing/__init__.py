"""Sign-up, invitations, user names and second factors."""

from memsite.accounts.signing.adapter import VOID_INVITATION, Taken, drop_void_invitation, invitation_of
from memsite.accounts.signing.admin_entry import guard
from memsite.accounts.signing.alerts import queue_key_alert
from memsite.accounts.signing.invitations import invite
from memsite.accounts.signing.sign_ins import note_sign_in

__all__ = [
    "VOID_INVITATION",
    "Taken",
    "drop_void_invitation",
    "guard",
    "invitation_of",
    "invite",
    "note_sign_in",
    "queue_key_alert",
]
