"""International bank account numbers (ISO 13616)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.checksums import mod_97
from memories.gate.findings import Finding

KIND: Final = "iban"

# The registry's lengths, each with the countries that use it.
_LENGTHS: Final = {
    15: "NO",
    16: "BE",
    18: "DK FI FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
_LENGTH_BY_COUNTRY: Final = {
    country: length for length, countries in _LENGTHS.items() for country in countries.split()
}
_IBAN: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}"
    r"(?:[A-Za-z0-9]{11,29}|(?:[ -][A-Za-z0-9]{4}){2,7}(?:[ -][A-Za-z0-9]{1,3})?)(?![A-Za-z0-9])"
)
_SEPARATORS: Final = str.maketrans("", "", " -")


def find_ibans(text: str) -> Iterator[Finding]:
    """Account numbers whose length is their country's and whose check digits hold.

    What the pattern matches may run on into the next word: the country says where the number ends.
    """
    for match in _IBAN.finditer(text):
        length = _LENGTH_BY_COUNTRY.get(match.group()[:2].upper())
        compact = match.group().translate(_SEPARATORS).upper()
        if length is None or len(compact) < length or not mod_97(compact[:length]):
            continue
        end = _end(text, match.start(), length)
        if end == match.end() or not text[end].isalnum():
            yield Finding(KIND, match.start(), end)


def _end(text: str, start: int, length: int) -> int:
    """Where `length` letters and digits from `start` end, separators not counted."""
    end = start
    for _ in range(length):
        end += 2 if text[end] in " -" else 1
    return end
