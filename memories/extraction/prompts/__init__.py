"""What a model is told when it is to find memories: a module for each language, each with its version.

A version goes up with every change of words, so that measurements name what they measured.
"""

from __future__ import annotations

from memories.extraction.prompts import chinese, english
from memories.extraction.prompts.fencing import Line, fenced, new_mark
from memories.extraction.prompts.prompt import Prompt


def prompt_for(*, chinese_text: bool) -> Prompt:
    """The prompt in the language of what is to be read."""
    return chinese.PROMPT if chinese_text else english.PROMPT


__all__ = [
    "Line",
    "Prompt",
    "fenced",
    "new_mark",
    "prompt_for",
]
