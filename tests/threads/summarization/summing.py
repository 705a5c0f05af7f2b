"""Types of the summaries' tests, and functions that read stored summaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from threads.models import Message, TaskState, Thread, ThreadSummary
from threads.summarization.summarising import SummaryResult

Say = Callable[..., list[Message]]
Run = Callable[..., SummaryResult]


def model_says(summary: str, **fields: Any) -> dict[str, Any]:
    """Return a model's answer."""
    return {"summary": summary, **fields}


def stored(thread: Thread) -> list[ThreadSummary]:
    """Return the thread's summaries in the order of their last messages."""
    rows = ThreadSummary.objects.filter(thread=thread).select_related("last_message")
    return list(rows.order_by("last_message__depth"))


def state_of(thread: Thread) -> TaskState | None:
    return TaskState.objects.filter(thread=thread).first()
