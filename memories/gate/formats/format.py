"""The definition of a credential format, and the alphabets that patterns share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from memories.gate.matches import SecretMatch

ALNUM: Final = "[A-Za-z0-9]"
WORD: Final = "[A-Za-z0-9_-]"
HEX: Final = "[0-9a-f]"
ANY_HEX: Final = "[0-9a-fA-F]"
BASE64: Final = "[A-Za-z0-9+/]"
UUID: Final = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

# A token starts at a word boundary. `\n` written as two characters and `%3D` in a URL end the word before it
# too.
_START: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_END: Final = r"(?![A-Za-z0-9])"


@dataclass(frozen=True, slots=True)
class Format:
    """A named format.

    Attributes:
        kind: Unique slug.
        marks: Strings of which every match contains one. The pattern runs only on texts with one of them.
        pattern: Regular expression of the whole secret. All repetitions are bounded or possessive, so that no
            text makes it slow.
    """

    kind: str
    marks: tuple[str, ...]
    pattern: str
    compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", re.compile(f"{_START}(?:{self.pattern}){_END}"))

    def find(self, text: str) -> Iterator[SecretMatch]:
        """Yield all complete tokens of this format."""
        for match in self.compiled.finditer(text):
            yield SecretMatch(self.kind, match.start(), match.end())
