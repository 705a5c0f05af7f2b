"""What a model is told when it is to summarise: a module for each language, each with its version.

A version goes up with every change of words, so that measurements name what they measured.
"""

from __future__ import annotations

from memories.extraction import Prompt
from threads.summarization.text.prompts import chinese, english

__all__ = ["Prompt", "prompt_for"]


def prompt_for(*, chinese_text: bool) -> Prompt:
    """The prompt in the language of the conversation."""
    return chinese.PROMPT if chinese_text else english.PROMPT
