"""Decide whether two texts say the same in the same words, and compute a key to find such texts."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from memories.text.comparison.contrast import contrast_readings, sort_readings
from memories.text.comparison.reading import Reading, get_content
from memories.text.comparison.words import LONGEST, QUANTIFIERS, SELF, SIGN, Token, words

_ADVERBS: Final = words("not never still only just already often usually always")


def has_same_wording(a: str, b: str) -> bool:
    """Return whether the content words are the same in the same order, up to a small list of synonyms.

    Contractions, articles, marks, the person of the speaker (I, the user), the -s of a verb, spelling, and
    the notation of numbers and dates may differ. Never true for texts that `contrast.find_differences`
    separates.
    """
    left, right = sort_readings(a, b)
    return _same_row(left, right) and not contrast_readings(left, right)


def compute_wording_key(text: str) -> bytes:
    """Return 16 bytes that are equal for all texts with `has_same_wording`. Other texts may share them.

    Returns:
        Empty for a text without content and for one too long to be read whole; these equal no other text.
    """
    row = get_content(text) if len(text) <= LONGEST else ()
    if not row:
        return b""
    parts = "\x00".join([f"{token.key}\x01{token.unit}" for token in row])
    return blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _same_row(a: Reading, b: Reading) -> bool:
    if len(a.row) != len(b.row):
        return False
    if not any(token.kind != SIGN for token in a.row):
        return tuple(token.key for token in a.row) == tuple(token.key for token in b.row) and a.row != ()
    return all(_same(a, b, place) for place in range(len(a.row)))


def _same(a: Reading, b: Reading, place: int) -> bool:
    one, other = a.row[place], b.row[place]
    if (one.key, one.unit) != (other.key, other.unit):
        return False
    return one.form == other.form or ({one.form, other.form} == {"", "s"} and _follows_self(a.row, place))


def _follows_self(row: tuple[Token, ...], place: int) -> bool:
    """Return whether this is the verb of the speaker, so that `I like` equals `the user likes`."""
    for token in reversed(row[max(place - 3, 0) : place]):
        if token.key == SELF:
            return True
        if token.key not in QUANTIFIERS and token.key not in _ADVERBS:
            return False
    return False
