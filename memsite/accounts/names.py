"""Names that people give to keys and applications: at least one character must be visible."""

from __future__ import annotations

import unicodedata
from typing import Final

from memsite.errors import InvalidInput

#: Letters and symbols, by their category, that are drawn as nothing: Hangul fillers, the empty Braille cell.
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def is_blank(name: str) -> bool:
    """Return whether a name looks empty: only spaces and invisible characters.

    Letters, digits, punctuation and symbols are visible, except those that are drawn as nothing.
    """
    return not any(unicodedata.category(sign)[0] in "LNPS" and sign not in _BLANKS for sign in name)


def check_visible_name(name: str) -> str:
    """Return the name without surrounding spaces. Raises InvalidInput for one without a visible character."""
    if is_blank(name):
        raise InvalidInput("A name needs at least one visible character.", {"name": "blank"})
    return name.strip()
