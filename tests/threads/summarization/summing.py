"""Names of what tests of summaries share, and looking at what is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from threads.models import Message, TaskState, Thread, ThreadSummary
from threads.summarization.summarising import Summarised

Say = Callable[..., list[Message]]
Run = Callable[..., Summarised]


def model_says(summary: str, **fields: Any) -> dict[str, Any]:
    """A model's answer."""
    return {"summary": summary, **fields}


def stored(thread: Thread) -> list[ThreadSummary]:
    """The thread's summaries in the order of the messages they end with."""
    rows = ThreadSummary.objects.filter(thread=thread).select_related("last_message")
    return list(rows.order_by("last_message__depth"))


def state_of(thread: Thread) -> TaskState | None:
    return TaskState.objects.filter(thread=thread).first()
