"""Credentials recognised by their form alone: a vendor's prefix, a fixed length, a known alphabet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memories.gate.formats.format import Format
from memories.gate.formats.vendors import AI, BUSINESS, CLOUD, DEVELOPER, JWT, MESSAGING
from memories.gate.matches import SecretMatch

__all__ = ["FORMATS", "Format", "find_formats"]

#: In order of precedence: of two overlapping formats, the first names the finding.
FORMATS: Final[tuple[Format, ...]] = (*AI, *CLOUD, *DEVELOPER, *MESSAGING, *BUSINESS, JWT)

_MARKED: Final = tuple((mark, each) for each in FORMATS for mark in each.marks)


def find_formats(text: str) -> Iterator[SecretMatch]:
    """Yield the tokens of known formats, one format after the other."""
    for each in dict.fromkeys([each for mark, each in _MARKED if mark in text]):
        yield from each.find(text)
