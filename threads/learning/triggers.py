"""When a model reads what was said: every five rounds, when asked, when a thread falls silent, when told to
remember.

Learning itself runs after every message; here is only what makes a model read.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memories.extraction import asks_to_remember, own_prose
from threads.conf import WINDOW_MESSAGES, WINDOW_TOKENS
from threads.models import Message
from threads.storage import queue_extraction, quiet_threads


def queue_quiet(before: datetime, most: int) -> int:
    """Queue reading for threads silent since then; how many. Across owners: for the schedule alone."""
    quiet = quiet_threads(before, most)
    for owner, thread_id in quiet:
        queue_extraction(thread_id, owner=owner)
    return len(quiet)


def is_due(waiting: Sequence[Message]) -> bool:
    """Whether the first messages that wait on a line are to be read now: enough, or one asks to remember."""
    return (
        len(waiting) >= WINDOW_MESSAGES
        or sum(map(_tokens_left, waiting)) >= WINDOW_TOKENS
        or any(message.role == "user" and _asks(message) for message in waiting)
    )


def _tokens_left(message: Message) -> float:
    if message.is_compacted:  # what waits so long that its content was put away is due
        return WINDOW_TOKENS
    length = len(message.content)
    left = length - (message.unread_from or 0)
    return message.token_count * left / length if length else 0.0


def _asks(message: Message) -> bool:
    return asks_to_remember(own_prose(message.content))
