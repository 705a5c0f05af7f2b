"""The types of events, and the patterns by which a reader selects some of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from memsite.errors import InvalidInput

#: Not in any log: tells a reader that the log does not continue where the reader stopped.
RESET: Final = "reset"


class LoggedType(StrEnum):
    """The type of an event in the log."""

    MEMORY_CREATED = "memory.created"
    MEMORY_UPDATED = "memory.updated"
    MEMORY_DELETED = "memory.deleted"
    MEMORY_FORGOTTEN = "memory.forgotten"
    MEMORY_RESTORED = "memory.restored"
    MEMORY_DISPUTED = "memory.disputed"
    THREAD_CREATED = "thread.created"
    THREAD_UPDATED = "thread.updated"
    THREAD_DELETED = "thread.deleted"
    THREAD_SUMMARISED = "thread.summarised"
    REPLY_FINISHED = "reply.finished"
    WEBHOOK_DISABLED = "webhook.disabled"


def select_types(patterns: Sequence[str]) -> list[str] | None:
    """Return the types that match one of the patterns; None, which means all types, without patterns.

    Args:
        patterns: Types, or groups of them: `memory.*`, `thread.summarised`.

    Raises:
        InvalidInput: If a pattern matches no type.
    """
    if not patterns:
        return None
    found: set[str] = set()
    for pattern in patterns:
        matching = {one.value for one in LoggedType if fnmatchcase(one.value, pattern)}
        if not matching:
            raise InvalidInput(
                f"There is no event type {pattern[:64]!r}.", {"types": [one.value for one in LoggedType]}
            )
        found |= matching
    return sorted(found)
