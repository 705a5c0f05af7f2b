"""Prompts of reflection, in the language of the memories. Each module has its VERSION."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from memories.extraction import is_chinese
from memories.maintenance.reflection.model.prompts import chinese, english

Task = Literal["patterns", "compress", "infer"]


def get_instructions(task: Task, texts: Sequence[str], mark: str) -> str:
    """Return the system prompt of a task, in Chinese if most of the texts are."""
    language = chinese if sum(map(is_chinese, texts)) * 2 > len(texts) else english
    told = {"patterns": language.PATTERNS, "compress": language.COMPRESS, "infer": language.INFER}[task]
    return f"{told}\n\n{language.DATA.format(mark=mark)}"
