"""Recall memories for a context: what is asked, what always applies, and within how much time."""

from threads.context.recall.recall import (
    Moment,
    RecallResult,
    RenderedMemory,
    begin_recall,
    expect_recall,
    render_line,
    render_memory,
)
from threads.context.recall.remarks import Remark
from threads.context.recall.requirements import (
    Requirement,
    make_mark,
    make_requirement,
    render_requirement,
)

__all__ = [
    "Moment",
    "RecallResult",
    "Remark",
    "RenderedMemory",
    "Requirement",
    "begin_recall",
    "expect_recall",
    "make_mark",
    "make_requirement",
    "render_line",
    "render_memory",
    "render_requirement",
]
