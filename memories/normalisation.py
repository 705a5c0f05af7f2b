"""How text is folded before two pieces of it are compared for being the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_SIGNS: Final = r"+#%&@$€£¥°<=>|~^`\U0001F000-\U0001FAFF\u2190-\u2BFF"
#: Combining marks and the vowel signs of Indic and South-East Asian scripts: part of the letter.
_MARKS: Final = (
    r"\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u064B-\u065F\u0900-\u109F"
    r"\u1700-\u18AF\u1A00-\u1CFF\u20D0-\u20F0"
)
#: Punctuation, but for signs that tell things apart and the minus of a number.
_DROPPED: Final = re.compile(rf"(?!(?<!\w)[-\u2212]\d)(?:[^\w\s{_SIGNS}{_MARKS}]|_)")
_SPACE: Final = re.compile(r"\s+")


def normalise(text: str) -> str:
    """The text's identity: NFKC, lower case, single spaces, letters and digits of any script.

    Signs that tell things apart stay too (C from C++, 5 % from 5, -5 from 5, one emoji from another);
    a point between digits becomes a space, so 3.5 is not 35.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _SPACE.sub(" ", _DROPPED.sub(" ", folded)).strip()
