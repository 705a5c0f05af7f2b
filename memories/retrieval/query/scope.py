"""Decide whether a question wants only what is so now. Pure."""

from __future__ import annotations

import re
from typing import Final

_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|used to|before|previous(?:ly)?|former(?:ly)?|earlier|back then|originally"
    r"|at first|ever|history|once|ago|last (?:year|month|week|spring|summer|autumn|fall|winter|time)|first"
    r"|in (?:19|20)\d\d)\b"
    r"|以前|之前|过去|曾|当时|那时|那会|那几|那阵|那段|原来|原先|从前|最早|最初|小时候|当初|去年|前年|上次|上回|(?:19|20)\d\d年"
    r"|[去来到吃看玩用读见住养听学做]过|[^不通经难]过(?=[吗么的？?，几哪什谁多]|$)",
    re.IGNORECASE,
)
#: Words of a question that several statements may answer together.
_SEVERAL: Final = re.compile(
    r"\b(?:what|which) (?:[\w'-]+ ){0,2}?(?!(?:is|was|does|has|this|us|always|bus|gas|days)\b)[a-z]+s"
    r" (?:do|are|have|can|am)\b"
    r"|\bhow many\b|\ball (?:my|our|the)\b|\blist\b"
    r"|哪些|几[个只条辆门种样位]|都[有会养用是]|一共|分别",
    re.IGNORECASE,
)
#: Characters of a query that are read. A longer one is no question.
_READ: Final = 400


def wants_current(text: str) -> bool:
    """Return whether a question wants one thing that is so now, and not what was so, or several things."""
    read = text[:_READ]
    return len(text) <= _READ and _PAST.search(read) is None and _SEVERAL.search(read) is None
