"""Cues of a text that need no analysis: whether it asks a question, names a time, or names things."""

from __future__ import annotations

import re
from enum import IntFlag
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.text.dates import MONTH_NAMES, WEEKDAY_NAMES


class Cue(IntFlag):
    """Bits stored with each memory, in a small integer column."""

    IS_QUESTION = 1  # the last sentence is a question
    ASKS = 2  # some sentence is a question, which the next turn may answer
    TIME = 4  # the text mentions a time


_WEEKDAYS: Final = "|".join(WEEKDAY_NAMES)
#: Months that are no other word.
_MONTHS: Final = "|".join(name for name in MONTH_NAMES if name not in {"may", "march"})
# The pattern only tests whether there is a time. The last digit of a number is enough, so a long number costs
# no more.
_TIME = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|soon|recently|just|upcoming|weekend"
    rf"|this (?:past |coming )?(?:day|week|month|year|morning|evening|spring|summer|fall|autumn|winter)"
    rf"|(?:few|couple of|\d+|two|three) (?:days?|weeks?|months?|years?)|the other day|{_WEEKDAYS}"
    rf"|{_MONTHS}|(?:in|on|of|last|next|since|by) (?:may|march)"
    r"|(?:19|20)\d\d)\b"
    r"|[昨今明前后去]天|[今明去前]年|[上下这本]个?(?:周|月|星期|礼拜|季度|半年)|刚刚?|最近|以前|之前|以后|周末"
    r"|(?:周|星期|礼拜)[一二三四五六日天]|\d[年月日号]|[一二三四五六七八九十两几](?:天|周|个月|月|年|小时)[前后内]?|早上|晚上|下午",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]|[吗呢么](?:[。！!~～…]|$)")
_NAME = re.compile(r"(?<=[a-z,;'’] )(?:[A-Z][a-z]+|[A-Z]{2,})\b")
#: Characters that are read at once: no other thread runs meanwhile. Only a text that was made longer by
#: bringing it into its normal form has more.
_PART: Final = 20_480
_NAMES_SHIFT: Final = 3
_MOST_NAMES: Final = 7
_CLOSING: Final = " \t\n\"'”’)）]】》~～!！…"


def find_cues(text: str) -> int:
    """Return the cue bits of a normalised text, in [0, 64): those of `Cue`, then the number of names."""
    parts = [text[at : at + _PART] for at in range(0, len(text), _PART)]
    cues = min(sum(len(_NAME.findall(part)) for part in parts), _MOST_NAMES) << _NAMES_SHIFT
    if any(map(_ASKS.search, parts)):
        cues |= Cue.ASKS
        if text.rstrip(_CLOSING).endswith(("?", "？", "吗", "呢", "么")):
            cues |= Cue.IS_QUESTION
    if any(map(_TIME.search, parts)):
        cues |= Cue.TIME
    return int(cues)


def count_names(cues: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of names within sentences, 0 to 7, from cue bits: turns with names say more."""
    return (cues >> _NAMES_SHIFT) & _MOST_NAMES
