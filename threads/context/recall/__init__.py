"""Recall memories for a context: what is asked, and within how much time."""

from threads.context.recall.recall import (
    Moment,
    RecallResult,
    RenderedMemory,
    begin_recall,
    render_line,
    render_memory,
)

__all__ = [
    "Moment",
    "RecallResult",
    "RenderedMemory",
    "begin_recall",
    "render_line",
    "render_memory",
]
