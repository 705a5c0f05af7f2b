"""Views: a text as the rules read it, with compatibility forms folded and invisible characters removed.

Full-width letters, digits of other scripts, typographic quotes and dashes, and characters inserted into a
secret hide it from rules but not from readers. Rules run on a folded view; findings are converted to offsets
of the original text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from typing import Final

# Format characters, variation selectors, fillers, combining marks, and control characters other than spaces.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u0300-\u036f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e01ef]"
)
_ASCII_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_QUOTES: Final = {
    **dict.fromkeys("“”„‟「」『』«»《》〝〞〟", '"'),
    **dict.fromkeys("‘’‚‛‹›", "'"),
    "−": "-",
    "İ": "I",  # the only character whose lower case is longer than itself
}
_CACHE_LIMIT: Final = 20_000


def _fold(character: str) -> str:
    if character in _QUOTES:
        return _QUOTES[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.digit(character))
    if category == "Pd":
        return "-"
    return unicodedata.normalize("NFKC", character)


class _Folding(dict[int, str]):
    """A translation table that is filled on use, up to a limit, because texts may contain any character."""

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        if len(self) < _CACHE_LIMIT:
            self[code] = folded
        return folded


_FOLDING: Final = _Folding()


class View:
    """One view of a text. `text` and `lower` have the same length; `original` maps offsets back."""

    def __init__(self, source: str, text: str, invisible: str | None) -> None:
        self.text: Final = text
        self.lower: Final = text.lower()
        self._source = source
        self._invisible = invisible

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the original text of a non-empty part of the view."""
        if self._invisible is None:
            return start, end
        origin = self._origin
        return origin[start], origin[end - 1] + 1

    @cached_property
    def _origin(self) -> list[int]:
        """For each character of the view, the index of its original character."""
        origin: list[int] = []
        for index, character in enumerate(self._source):
            shown = self._invisible if _INVISIBLE.match(character) else _FOLDING[ord(character)]
            origin.extend([index] * len(shown or ""))
        return origin


def views(text: str) -> Iterator[View]:
    """Yield the views to check: without invisible characters and, if there are any, with spaces for them."""
    if text.isascii() and not _ASCII_CONTROL.search(text):
        yield View(text, text, None)
        return
    visible = _INVISIBLE.sub("", text)
    yield View(text, visible.translate(_FOLDING), "")
    if len(visible) != len(text):
        yield View(text, _INVISIBLE.sub(" ", text).translate(_FOLDING), " ")
