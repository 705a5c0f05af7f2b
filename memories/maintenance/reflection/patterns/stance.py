"""The data type of a stance: what a sentence says about how its owner works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Manner = Literal["prefer", "like", "use", "want", "do"]


@dataclass(frozen=True, slots=True)
class Stance:
    """One thing that a sentence is for or against, or does at a recurring time.

    Attributes:
        key: Content terms of the thing, in order.
        wording: Its words, without subject, manner and time.
        manner: Kind of stance.
        positive: Whether the sentence is for it.
        general: Content terms of the name at the beginning (`python` of "Python with type hints").
        general_wording: That name as written.
        when: The recurring time, normalised (`every monday`).
    """

    key: tuple[str, ...]
    wording: str
    manner: Manner
    positive: bool = True
    general: tuple[str, ...] = ()
    general_wording: str = ""
    when: str = ""
    chinese: bool = False
