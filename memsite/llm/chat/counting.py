"""Count the tokens of a call for which the server sent no counts."""

from __future__ import annotations

from collections.abc import Sequence

from memsite.llm import tokens
from memsite.llm.chat.chat import ChatMessage, Usage


def counted(model: str, messages: Sequence[ChatMessage], answer: str) -> Usage:
    """Return our own count, in the model's encoding if it is built in, else in the default one."""
    encoding = tokens.built_in_encoding(model)
    asked = sum(tokens.count_message_tokens(message, encoding) for message in messages)
    return Usage(asked, tokens.count_tokens(answer, encoding))
