"""Reduce a message to its writer's own lines, with each quotation masked by one character."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memories.extraction.prose.pasted import outside_blocks

# Plane 15 is for private use: 65,534 quotations per message. Further ones are dropped.
_FIRST_MASK: Final = 0xF0000
_LAST_MASK: Final = 0xFFFFD
_MASKS = re.compile("[\U000f0000-\U0010fffd]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ue000-\uf8ff]")
_INVISIBLE = re.compile("[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_NEWLINES = re.compile("\r\n|[\r\u2028\u2029\x85\x0b\x0c]")


def _between(opening: str, closing: str) -> str:
    """Return a pattern of a quotation that ends at the first closing mark.

    It contains at most eight opening marks. Without that limit, each of many unclosed openings would be
    scanned for 4,000 characters.
    """
    plain = f"[^{opening}{closing}]{{0,4000}}+"
    return f"{opening}(?!{closing})(?:{plain}{opening}){{0,8}}+{plain}{closing}"


_QUOTED = re.compile(
    r'(?<![A-Za-z0-9])"(?!\s)(?:[^"\n]|\n(?!\s*\n)){1,4000}"'
    rf"|{_between('“', '”')}|{_between('「', '」')}|{_between('『', '』')}|{_between('«', '»')}"
    r"|‘[^‘’\n]{1,2000}’(?![A-Za-z])"
    r"|(?<![A-Za-z0-9])`[^`\n]{1,1000}`"
    r"|(?<![A-Za-z0-9])'(?!\s)(?:[^'\n]|(?<=[A-Za-z])'(?=[A-Za-z])){1,2000}'(?![A-Za-z0-9])"
)
_QUOTE_MARKS: Final = "\"'“”‘’「」『』«»`"
_CLOSING_MARKS: Final = frozenset("。！？；：、，,.!?;:~～…—–-\ufe0f\u200d")
# Long runs of blanks or of one mark mean no more than short ones, and are slow to match.
_BLANKS = re.compile(r"[^\S\n]{2,}")
_RUNS = re.compile(r"([^\w\s])\1{3,}")
_BULLET = re.compile(r"\A\s*(?:(?:[-*•·–—+]|\(?\d{1,2}[.)、])\s+(?=\S)|#{1,6}\s+)")


@dataclass(frozen=True, slots=True)
class Prose:
    """The own lines of a message. `quotes` are the quotations behind the masks."""

    lines: tuple[str, ...]
    quotes: tuple[str, ...]

    def unmask(self, text: str, *, bare: bool = False) -> str:
        """Restore the quotations of a text, without quotation marks if `bare`."""

        def written(match: re.Match[str]) -> str:
            place = ord(match.group()) - _FIRST_MASK
            quote = self.quotes[place] if place < len(self.quotes) else ""
            return quote.strip(_QUOTE_MARKS) if bare else quote

        return _MASKS.sub(written, text)


def strip_marks(text: str) -> str:
    """Remove blanks, closing marks and emoji from the end of a text."""
    end = len(text)
    while end and (
        text[end - 1] in _CLOSING_MARKS or _is_pictogram(text[end - 1]) or text[end - 1].isspace()
    ):
        end -= 1
    return text[:end].lstrip()


def _is_pictogram(character: str) -> bool:
    return "\U0001f000" <= character <= "\U0001faff" or "\u2600" <= character <= "\u27bf"


def extract_own_prose(text: str) -> Prose:
    """Return the lines that the user wrote. Bullets are removed; empty lines are kept as separators."""
    plain = _INVISIBLE.sub("", _NEWLINES.sub("\n", text))
    plain = _MASKS.sub("", _CONTROL.sub(" ", plain)).replace("\u00a0", " ")
    quotes: list[str] = []

    def mask(match: re.Match[str]) -> str:
        quotes.append(match.group())
        number = _FIRST_MASK + len(quotes) - 1
        return chr(number) if number <= _LAST_MASK else " "

    masked = _QUOTED.sub(mask, "\n".join(outside_blocks(plain.split("\n"))))
    plain = _RUNS.sub(r"\1\1\1", _BLANKS.sub(" ", masked)).replace("’", "'")
    lines = tuple(_BULLET.sub("", line).strip() for line in plain.split("\n"))
    return Prose(lines, tuple(quotes))
