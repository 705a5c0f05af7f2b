"""Views: a text as the rules read it, with compatibility forms folded and invisible characters removed.

Full-width letters, digits of other scripts, typographic quotes and dashes, and characters inserted into a
secret hide it from rules but not from readers. Rules run on a folded view; findings are converted to offsets
of the original text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final

from memories.gate.matches import SecretMatch

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
#: Characters that are read at once. A single call of `re` or `str` does not let other threads run, so a text
#: of a million characters is read in parts of this length.
PART: Final = 32_768
#: Characters before and after a part that its rules also see: keywords, headings, the rest of a value.
_BEFORE_PART: Final = 2_048
_AFTER_PART: Final = 6_144
_TOKEN_REST: Final = re.compile(r"\S*+")


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

    def find(self, finder: Callable[[View], Iterable[SecretMatch]]) -> Iterator[SecretMatch]:
        """Yield what a finder finds in this view; in a long text, part by part.

        Parts overlap, and a finding counts if it touches its part without the overlap. A finding that the
        overlap cuts off goes on to the end of its word.
        """
        if len(self.text) <= PART:
            yield from finder(self)
            return
        for start in range(0, len(self.text), PART):
            low, high = max(0, start - _BEFORE_PART), start + PART + _AFTER_PART
            part = View("", self.text[low:high], None)
            for found in finder(part):
                if found.end + low > start and found.start + low < start + PART:
                    yield SecretMatch(found.kind, found.start + low, self._end(found.end + low, high))

    def _end(self, end: int, high: int) -> int:
        if end < high:
            return end
        rest = _TOKEN_REST.match(self.text, end)
        return rest.end() if rest else end

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


def make_views(text: str) -> Iterator[View]:
    """Yield the views to check: without invisible characters and, if there are any, with spaces for them."""
    if text.isascii() and not _ASCII_CONTROL.search(text):
        yield View(text, text, None)
        return
    yield View(text, _folded(text, ""), "")
    if any(_INVISIBLE.search(text, at, at + PART) for at in range(0, len(text), PART)):
        yield View(text, _folded(text, " "), " ")


def _folded(text: str, invisible: str) -> str:
    """Return the folded text with a replacement for each invisible character."""
    parts = (text[at : at + PART] for at in range(0, len(text), PART))
    return "".join(_INVISIBLE.sub(invisible, part).translate(_FOLDING) for part in parts)
