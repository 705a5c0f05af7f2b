"""The shape of what a memory shows of how its owner works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Manner = Literal["prefer", "like", "use", "want", "do"]


@dataclass(frozen=True, slots=True)
class Stance:
    """One thing that one sentence is for or against, or does at a recurring time.

    key: what it is, as content terms in order; when: the recurring time, normalised (`every monday`).
    said: the words it was said in, without subject, manner and time.
    general, general_said: the name that the key begins with (`python` of "Python with type hints").
    """

    key: tuple[str, ...]
    said: str
    manner: Manner
    positive: bool = True
    general: tuple[str, ...] = ()
    general_said: str = ""
    when: str = ""
    chinese: bool = False
