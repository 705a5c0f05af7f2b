"""Tokens of a call that its server did not count."""

from __future__ import annotations

from collections.abc import Sequence

from memsite.llm import tokens
from memsite.llm.chat.chat import ChatMessage, Usage


def counted(model: str, messages: Sequence[ChatMessage], answer: str) -> Usage:
    """Our own count for a model's encoding, or the default one where its own is not built in."""
    encoding = tokens.built_in_encoding(model)
    asked = sum(tokens.count_message_tokens(message, encoding) for message in messages)
    return Usage(asked, tokens.count_tokens(answer, encoding))
