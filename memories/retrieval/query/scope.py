"""Decide whether a question wants only what is so now. Pure."""

from __future__ import annotations

import re
from typing import Final

#: Letters of other scripts than Latin and Chinese.
_FOREIGN: Final = re.compile(r"(?![A-Za-z\u00c0-\u024f\u3400-\u9fff\uf900-\ufaff\uff21-\uff5a])[^\W\d_]")
#: Words by which a question or a request is English, and Chinese characters. In other languages, the
#: expressions below find neither the past nor a question for several things.
_READABLE: Final = re.compile(
    r"\b(?:what|where|who|whom|whose|when|which|how|why|does|should|the|my|our|mine|tell|remind|i'm"
    r"|(?:do|am|are|is|have|has|can|could|will|would|shall) (?:i|we|you|he|she|it|they|there|any))\b"
    r"|^\W*(?:are|is|can|could|has|have) "
    r"|[\u3400-\u9fff\uf900-\ufaff]",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|used to|before|previous(?:ly)?|former(?:ly)?|earlier|back then|originally"
    r"|at first|ever|history|once|ago|last (?:year|month|week|spring|summer|autumn|fall|winter|time)|first"
    r"|no longer|so far|over the years|(?:my|our) (?:old|ex)\b|have (?:i|we) (?:\w+ed|been)"
    r"|in (?:19|20)\d\d)\b"
    r"|以前|之前|过去|曾|当时|那时|那会|那几|那阵|那段|原来|原先|从前|最早|最初|小时候|当初|去年|前年|上次|上回|(?:19|20)\d\d年"
    r"|[去来到吃看玩用读见住养听学做]过|[^不通经难]过(?=[吗么的？?，几哪什谁多]|$)",
    re.IGNORECASE,
)
#: Words of a question that several statements may answer together.
_SEVERAL: Final = re.compile(
    r"\b(?:what|which) (?:[\w'-]+ ){0,2}?(?!(?:is|was|does|has|this|us|always|bus|gas|days)\b)[a-z]+s"
    r" (?:do|are|have|can|am)\b"
    r"|\b(?:what|who|where|which|how) are (?:all )?(?:my|our|the)\b"
    r"|\bhow many\b|\ball (?:my|our|the)\b|\blist\b|\b(?:every|any)thing\b|\bsummar(?:y|i[sz]e)\b"
    r"|\b(?:tell|know|remember)\b.{0,20}?\babout\b|\ballerg|\b(?:free|spare) time\b"
    r"|哪些|几[个只条辆门种样位]|都[有会养用是]|一共|分别|所有|了解我|过敏|爱好|业余",
    re.IGNORECASE,
)
#: Characters of a query that are read. A longer one is no question.
_READ: Final = 400


def wants_current(text: str) -> bool:
    """Return whether a question wants one thing that is so now, and not what was so, or several things.

    A text in other languages than English and Chinese, and bare keywords, are no such question.
    """
    if len(text) > _READ or _FOREIGN.search(text) or not _READABLE.search(text):
        return False
    return _PAST.search(text) is None and _SEVERAL.search(text) is None
