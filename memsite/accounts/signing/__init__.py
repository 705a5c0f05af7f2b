"""Sign-up, invitations, user names, second factors and sessions."""

from memsite.accounts.signing.adapter import VOID_INVITATION, NameTaken, drop_void_invitation, get_invitation
from memsite.accounts.signing.admin_entry import guard_admin
from memsite.accounts.signing.alerts import note_sign_in, queue_key_alert
from memsite.accounts.signing.invitations import create_invitation
from memsite.accounts.signing.mfa import make_cipher
from memsite.accounts.signing.sessions import (
    describe_device,
    end_other_sessions,
    end_session,
    list_sessions,
)

__all__ = [
    "VOID_INVITATION",
    "NameTaken",
    "create_invitation",
    "describe_device",
    "drop_void_invitation",
    "end_other_sessions",
    "end_session",
    "get_invitation",
    "guard_admin",
    "list_sessions",
    "make_cipher",
    "note_sign_in",
    "queue_key_alert",
]
