"""The types of events, the patterns by which a reader selects some, and the words of webhooks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from memsite.errors import InvalidInput
from memsite.values import TextEnum

#: Not in any log: tells a reader that the log does not continue where the reader stopped.
RESET: Final = "reset"
#: Likewise: a person asked for it, to see whether a webhook works.
TEST: Final = "webhook.test"


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


class Payload(TextEnum):
    """The content of a webhook's messages: ids alone, or texts too."""

    THIN = "thin"  # ids only
    FULL = "full"  # and the memory that the event is about


class DeliveryStatus(TextEnum):
    """Status of a delivery. The last two are final: only a person starts such a delivery again."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"  # out of attempts, or the receiver is gone


class OffReason(TextEnum):
    """Why a webhook is off."""

    SWITCHED_OFF = "switched_off"  # by its owner
    GONE = "gone"  # the receiver answered 410
    FAILING = "failing"  # every attempt of five days failed


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
