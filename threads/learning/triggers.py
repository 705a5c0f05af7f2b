"""Decide when a model reads waiting messages.

It reads after ten messages (five rounds) or 4,000 tokens, on request, after ten minutes of silence in a
thread, and when the user asks to remember something; the numbers are settings. Learning itself runs after
every message.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memories.conf import EXTRACTION
from memories.extraction import asks_to_remember, extract_own_prose
from memsite.values import MessageRole
from threads.models import Message
from threads.storage import list_quiet_threads, queue_extraction


def queue_quiet_threads(before: datetime, most: int) -> int:
    """Queue extraction for at most `most` threads without messages since `before`. Return how many.

    Across owners: for the schedule only.
    """
    quiet = list_quiet_threads(before, most)
    for owner, thread_id in quiet:
        queue_extraction(thread_id, owner=owner)
    return len(quiet)


def is_due(waiting: Sequence[Message]) -> bool:
    """Return whether the first waiting messages of a branch's line are to be read now.

    They are if there are enough of them, or if one asks to remember something.
    """
    return (
        len(waiting) >= EXTRACTION.window_messages
        or sum(map(_count_unread_tokens, waiting)) >= EXTRACTION.window_tokens
        or any(message.role == MessageRole.USER and _asks(message) for message in waiting)
    )


def _count_unread_tokens(message: Message) -> float:
    if message.is_compacted:  # a message that waits so long that its content was offloaded is due
        return EXTRACTION.window_tokens
    length = len(message.content)
    left = length - (message.unread_from or 0)
    return message.token_count * left / length if length else 0.0


def _asks(message: Message) -> bool:
    return asks_to_remember(extract_own_prose(message.content))
