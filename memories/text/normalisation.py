"""Normalise texts for the index, queries, fingerprints, names and comparison. Pure.

`simplify` maps traditional Chinese characters to simplified ones, `unify` adds NFKC and keeps the case, and
`normalise` returns the identity of a text. `simplify` maps characters one to one, so positions in a text stay
valid.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Final, Literal

#: Incremented when what is derived from stored texts changes: it is then derived again. Rules 2 map
#: traditional characters to simplified ones. Rules 3 change terms and cues (`analysis`), but no fingerprint.
RULES: Final = 3

_SIGNS: Final = r"+#%&@$€£¥°<=>|~^`\U0001F000-\U0001FAFF\u2190-\u2BFF"
#: Combining marks and the vowel signs of Indic and South-East Asian scripts; they are part of the letter.
_MARKS: Final = (
    r"\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u064B-\u065F\u0900-\u109F"
    r"\u1700-\u18AF\u1A00-\u1CFF\u20D0-\u20F0"
)
#: Punctuation, except signs that distinguish things and the minus of a number.
_DROPPED: Final = re.compile(rf"(?!(?<!\w)[-\u2212]\d)(?:[^\w\s{_SIGNS}{_MARKS}]|_)")
_SPACE: Final = re.compile(r"\s+")
#: Characters that are brought into a normal form at once: sorting a run of combining marks takes quadratic
#: time, and one call does not let other threads run. A longer text is cut before a space, an ASCII sign or an
#: ideograph, which combine with nothing before them.
_PART: Final = 1_024
_SEAM: Final = re.compile(r"[ -~\n\u4e00-\u9fff]")
#: Variants that OpenCC's table keeps apart because they also occur in simplified texts.
_VARIANTS: Final = "姪侄 貍狸 著着 祇只 衹只 瞭了 藉借 覆复 彷仿 妳你 牠它"


def _table() -> Mapping[int, str]:
    """Return OpenCC's table from traditional characters to the first simplified form of each."""
    forms = {pair[0]: pair[1] for pair in _VARIANTS.split()}
    written = (files("opencc") / "dictionary" / "TSCharacters.txt").read_text(encoding="utf-8")
    for line in written.splitlines():
        character, _, simplified = line.partition("\t")
        forms.setdefault(character, simplified.split()[0])
    return {ord(character): forms.get(form, form) for character, form in forms.items()}


#: Translation table for `str.translate`.
_SIMPLIFIED: Final = _table()


def simplify(text: str) -> str:
    """Return the text in simplified characters; its length and everything else stay the same."""
    return text if text.isascii() else text.translate(_SIMPLIFIED)


def unify(text: str) -> str:
    """Return the text in NFKC and simplified characters.

    Case and punctuation stay, because they mark identifiers and names.
    """
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFKC", part).translate(_SIMPLIFIED) for part in _parts(text))


def in_form(form: Literal["NFKC", "NFKD"], text: str) -> str:
    """Return the text in a normal form of Unicode, in linear time.

    Of more than 1,024 combining marks in a row, those up to one and those from the next are ordered apart.
    """
    return "".join(unicodedata.normalize(form, part) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _PART:
        end = start + _PART
        seam = _SEAM.search(text, end, end + _PART)
        end = seam.start() if seam else end
        yield text[start:end]
        start = end
    yield text[start:]


def normalise(text: str, *, rules: int = RULES) -> str:
    """Return the identity of a text in any script.

    The result has NFKC, lower case, simplified characters, single spaces, letters and digits. Signs that
    distinguish things stay (C from C++, 5 % from 5, -5 from 5, one emoji from another). A point between
    digits becomes a space, so 3.5 is not 35.

    Args:
        text: Any text.
        rules: The version of the rules; 1 keeps traditional characters, as older versions did.
    """
    folded = in_form("NFKC", in_form("NFKC", text).casefold())
    if rules > 1:
        folded = simplify(folded)
    return _SPACE.sub(" ", _DROPPED.sub(" ", folded)).strip()
