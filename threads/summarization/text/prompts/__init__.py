"""Prompts for summarising: one module per language, each with a version.

Every change of the wording increases the version, so that measurements name the prompt they measured.
"""

from __future__ import annotations

from memories.extraction import Prompt
from threads.summarization.text.prompts import chinese, english

__all__ = ["Prompt", "get_prompt"]


def get_prompt(*, chinese_text: bool) -> Prompt:
    """Return the prompt in the language of the conversation."""
    return chinese.PROMPT if chinese_text else english.PROMPT
