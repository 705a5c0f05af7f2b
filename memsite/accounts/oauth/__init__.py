"""OAuth for programs that cannot send a key: registrations, consent, tokens, and who calls with one."""

from memsite.accounts.oauth.discovery import get_resource, is_oauth_on, make_challenge
from memsite.accounts.oauth.programs import (
    UNUSED_DAYS,
    ProgramCaller,
    ProgramLine,
    disconnect_program,
    list_programs,
    prune_registrations,
    recognise_token,
)

__all__ = [
    "UNUSED_DAYS",
    "ProgramCaller",
    "ProgramLine",
    "disconnect_program",
    "get_resource",
    "is_oauth_on",
    "list_programs",
    "make_challenge",
    "prune_registrations",
    "recognise_token",
]
