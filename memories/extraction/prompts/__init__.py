"""Prompts of extraction: one module per language, each prompt with a version.

The version changes with every change of the text, so that measurements name the prompt they measured.
"""

from __future__ import annotations

from memories.extraction.prompts import chinese, english
from memories.extraction.prompts.fencing import FencedMessage, fence_messages
from memories.extraction.prompts.prompt import Prompt


def get_prompt(*, chinese_text: bool) -> Prompt:
    """Return the prompt in the language of the text."""
    return chinese.PROMPT if chinese_text else english.PROMPT


__all__ = [
    "FencedMessage",
    "Prompt",
    "fence_messages",
    "get_prompt",
]
