"""Assemble the messages that a language model is sent for a thread and a new input."""

from threads.context.citing import judge
from threads.context.context import Context, assemble
from threads.context.layout import MESSAGE_ID
from threads.context.preview import Preview
from threads.context.recall import Moment, told

__all__ = ["MESSAGE_ID", "Context", "Moment", "Preview", "assemble", "judge", "told"]
