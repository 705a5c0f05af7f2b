"""Assemble the messages that a language model is sent for a thread and a new input."""

from threads.context.briefing import render_summary
from threads.context.budget import ContextBudget
from threads.context.citations import make_citations, rate_citation, save_citations
from threads.context.context import Context, assemble_context
from threads.context.layout import MESSAGE_ID, Layout
from threads.context.preview import Preview
from threads.context.recall import (
    Moment,
    RecallResult,
    Remark,
    RenderedMemory,
    Requirement,
    begin_recall,
    expect_recall,
    make_mark,
    make_requirement,
    render_line,
    render_memory,
)
from threads.context.selection import Choice, is_in_context, select_memories
from threads.context.sent_context import ShownContext, load_sent_context, store_sent_context

__all__ = [
    "MESSAGE_ID",
    "Choice",
    "Context",
    "ContextBudget",
    "Layout",
    "Moment",
    "Preview",
    "RecallResult",
    "Remark",
    "RenderedMemory",
    "Requirement",
    "ShownContext",
    "assemble_context",
    "begin_recall",
    "expect_recall",
    "is_in_context",
    "load_sent_context",
    "make_citations",
    "make_mark",
    "make_requirement",
    "rate_citation",
    "render_line",
    "render_memory",
    "render_summary",
    "save_citations",
    "select_memories",
    "store_sent_context",
]
