"""What a credential format is, and the alphabets their patterns share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from memories.gate.findings import Finding

ALNUM: Final = "[A-Za-z0-9]"
WORD: Final = "[A-Za-z0-9_-]"
HEX: Final = "[0-9a-f]"
ANY_HEX: Final = "[0-9a-fA-F]"
BASE64: Final = "[A-Za-z0-9+/]"
UUID: Final = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

# A token starts a word; `\n` written as two characters and `%3D` in a URL end the word before it too.
_START: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_END: Final = r"(?![A-Za-z0-9])"


@dataclass(frozen=True, slots=True)
class Format:
    """A named rule.

    kind: slug, unique. marks: strings one of which is in every match; the pattern runs only on texts that
    hold one. pattern: regular expression of the whole secret, whose every repetition is bounded or
    possessive, so that no text makes it slow.
    """

    kind: str
    marks: tuple[str, ...]
    pattern: str
    compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", re.compile(f"{_START}(?:{self.pattern}){_END}"))

    def find(self, text: str) -> Iterator[Finding]:
        """Every place of a text where a whole token of this format stands."""
        for match in self.compiled.finditer(text):
            yield Finding(self.kind, match.start(), match.end())
