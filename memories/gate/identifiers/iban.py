"""International bank account numbers (ISO 13616)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stdnum import iban

from memories.gate.matches import SecretMatch

KIND: Final = "iban"

_IBAN: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}"
    r"(?:[A-Za-z0-9]{11,29}|(?:[ -][A-Za-z0-9]{4}){2,7}(?:[ -][A-Za-z0-9]{1,3})?)(?![A-Za-z0-9])"
)
_SEPARATOR: Final = re.compile("[ -]")


def find_ibans(text: str) -> Iterator[SecretMatch]:
    """Yield account numbers with the format of their country and valid check digits.

    A match may extend into the next word, so trailing groups are dropped one by one.
    """
    for match in _IBAN.finditer(text):
        ends = [match.end(), *(match.start() + each.start() for each in _SEPARATOR.finditer(match.group()))]
        for end in sorted(ends, reverse=True):
            if iban.is_valid(_SEPARATOR.sub("", text[match.start() : end]), check_country=False):
                yield SecretMatch(KIND, match.start(), end)
                break
