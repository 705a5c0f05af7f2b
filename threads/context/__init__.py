"""Assemble the messages that a language model is sent for a thread and a new input."""

from threads.context.citations import rate_citation
from threads.context.context import Context, assemble_context
from threads.context.layout import MESSAGE_ID
from threads.context.preview import Preview
from threads.context.recall import Moment, render_memory
from threads.context.sent_context import ShownContext, load_sent_context, store_sent_context

__all__ = [
    "MESSAGE_ID",
    "Context",
    "Moment",
    "Preview",
    "ShownContext",
    "assemble_context",
    "load_sent_context",
    "rate_citation",
    "render_memory",
    "store_sent_context",
]
