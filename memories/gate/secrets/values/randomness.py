"""Decide whether a run of characters looks random, unlike words, identifiers and paths.

Two measures over neighbouring characters, both fast and without a model:

* *change*: the share of neighbours of different classes (lower, upper, digit, other). About 0.62 for random
  base 62, 0.25 for the median identifier with a digit.
* *wordiness*: the share of neighbours that are among the 150 most frequent letter pairs of English words and
  program identifiers. About 0.15 for random base 62, 0.53 for the median identifier.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import add, ne
from typing import Final

from memories.gate.vocabulary import words

SHORTEST: Final = 20  # characters; shorter random strings cannot be told from abbreviations
_LONG: Final = 32  # characters; from here on the measures are stable enough for looser bounds

_SHORTEST_ONE_CASE: Final = 24
_MOST_DIGITS: Final = 0.45  # share; coordinates and drawing codes have more
_MOST_OTHERS: Final = 0.15  # share; dates and names with dashes have more
# Bounds of the measures, chosen so that 1 of 10,000 lines of program text passes them.
_CHANGE_SHORT: Final = 0.40
_WORDINESS_SHORT: Final = 0.36
_CHANGE_LONG: Final = 0.38
_WORDINESS_LONG: Final = 0.42
_CHANGE_ONE_CASE: Final = 0.15
_WORDINESS_ONE_CASE: Final = 0.33
_ENOUGH: Final = 256  # characters are enough to classify a run

_COMMON_PAIRS: Final = words(
    """
    in er re te es on at ti en le st ed or se de co ar nt ng al et li me ra ro an ri it ta ec ne io di tr pe
    is nd ge ma si la na ea un ca ic ct as fi ve lo ns pa il pr ac th to rs ce el ex am nc ts ll ss od ch ad
    he om mp po rt ni em ou im op ol no rr oc ur su ly ab ck pl bl ha mo mi ut ap ul da ef pt os ep cl ia ir
    ty ee id fo ke ot us ho sh sc sp ig rm ie va do ai ff cr ag ow tt so iv if pi ip iz um ba tu lt qu ib ze
    rc up yp ls sa nf ds wa rd pp
    """
)
_CLASS: Final = str.maketrans(
    {
        **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "a"),
        **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A"),
        **dict.fromkeys("0123456789", "0"),
    }
)
_HEX: Final = re.compile(r"g?[0-9a-f]+|[0-9A-F]+|[0-9a-fA-F]+(?:-[0-9a-fA-F]+)+")


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of one run: length, shares, and number of characters of each class."""

    length: int
    change: float
    wordiness: float
    lower: int
    upper: int
    digits: int

    @property
    def others(self) -> int:
        """Number of characters that are not letters or digits."""
        return self.length - self.lower - self.upper - self.digits


def measure(run: str) -> Measures:
    """Measure a run of at least two characters."""
    classes = run.translate(_CLASS)
    small = run.lower()
    pairs = len(run) - 1
    change = sum(map(ne, classes, classes[1:])) / pairs
    common = sum(map(_COMMON_PAIRS.__contains__, map(add, small, small[1:]))) / pairs
    return Measures(len(run), change, common, classes.count("a"), classes.count("A"), classes.count("0"))


def is_hex(run: str) -> bool:
    """Return whether a run is a digest, a commit id (also `g` + id, as in `git describe`) or a UUID."""
    return _HEX.fullmatch(run) is not None


def looks_random(run: str) -> bool:
    """Return whether a run of 20 or more characters looks like a generated key and is not a hex digest.

    It is true for 89 to 99 % of random strings of 24 to 40 characters, depending on alphabet and length.
    """
    if len(run) < SHORTEST or is_hex(run):
        return False
    found = measure(run[:_ENOUGH])
    if found.digits > _MOST_DIGITS * found.length or found.others > _MOST_OTHERS * found.length:
        return False
    if not (found.lower and found.upper):
        return _looks_random_in_one_case(found)
    if found.length >= _LONG:
        settled = found.change >= _CHANGE_LONG and found.wordiness <= min(
            _WORDINESS_LONG, found.change + 0.01
        )
        return settled and found.digits + found.others > 0
    unlike_words = found.wordiness <= min(_WORDINESS_SHORT, found.change - 0.1)
    return found.digits > 0 and found.change >= _CHANGE_SHORT and unlike_words


def _looks_random_in_one_case(found: Measures) -> bool:
    """Check base 36 and base 32.

    Their class changes less often, so the run must be longer and without separators.
    """
    if found.length < _SHORTEST_ONE_CASE or found.others or found.digits <= 1:
        return False
    return found.change >= _CHANGE_ONE_CASE and found.wordiness <= _WORDINESS_ONE_CASE
