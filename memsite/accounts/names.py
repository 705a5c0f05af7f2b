"""Names that people give to keys and applications: something of them must be seen."""

from __future__ import annotations

import unicodedata
from typing import Final

from memsite.errors import InvalidInput

#: Letters and signs by category that are drawn as nothing: Hangul fillers, the empty Braille cell.
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def is_blank(name: str) -> bool:
    """Whether a reader sees nothing: no letter, digit, punctuation or symbol, only spaces and invisibles."""
    return not any(unicodedata.category(sign)[0] in "LNPS" and sign not in _BLANKS for sign in name)


def visible_name(name: str) -> str:
    """The name without the spaces around it. Raises InvalidInput for one that nobody can see."""
    if is_blank(name):
        raise InvalidInput("A name needs at least one visible character.", {"name": "blank"})
    return name.strip()
