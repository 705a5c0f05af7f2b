"""Remove what only machines see in a text, so that the rest is what a person reads. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

LINE_BREAK: Final = "⏎"
UNREADABLE: Final = "\ufffd"
#: More combining marks on one letter than any orthography uses hide the text around them.
MOST_MARKS: Final = 4
_MARKS: Final = ("Mn", "Me")

_ESCAPE_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # CSI: colours, cursor, erasing
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]{0,512}(?:\x07|\x1b\\\\|\x9c)"  # OSC, DCS …
    "|\x1b[ -/]{0,8}[0-~]"
)
_BREAKS = re.compile("(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])")
_SPACES = re.compile(r" {2,}")
# Only from the start of a run of spaces: otherwise a long run would be scanned again from each space.
_REPEATED_BREAKS = re.compile(rf"(?<!\ )(?:\ *{LINE_BREAK})+\ *")

#: Unicode's Default_Ignorable_Code_Point, the annotation characters, and fillers that look blank but are no
#: spaces.
_IGNORABLE: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x13430, 0x1345F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
#: Scripts whose letters change next to a joiner: Arabic, Syriac, Indic, Burmese, Khmer, Mongolian.
_JOINING: Final = (
    (0x0600, 0x08FF),
    (0x0900, 0x0DFF),
    (0x1000, 0x109F),
    (0x1780, 0x18AF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFC),
)
_EMOJI: Final = (
    (0x00A9, 0x00A9),
    (0x00AE, 0x00AE),
    (0x203C, 0x203C),
    (0x2049, 0x2049),
    (0x2122, 0x2139),
    (0x2190, 0x2BFF),
    (0x3030, 0x303D),
    (0x3297, 0x3299),
    (0x1F000, 0x1FAFF),
)
_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = "\ufe0e\ufe0f"
_KEYCAP: Final = "\u20e3"
_KEYS: Final = frozenset("0123456789#*")
_BRAILLE_BLANK: Final = "\u2800"


def make_visible(text: str) -> str:
    """Return the text on one line as a person sees it: line breaks as `⏎`, single spaces, nothing invisible.

    A zero-width joiner is kept between two emoji or two letters of a joining script, a variation selector
    after an emoji. Characters without a meaning of their own (private use, lone surrogates) become `�`.
    """
    if not text.isprintable():
        text = _BREAKS.sub(LINE_BREAK, _ESCAPE_SEQUENCE.sub("", text))
    if not all(map(_is_plain, set(text))):
        text = "".join(_readable(text))
    if LINE_BREAK in text:
        text = _REPEATED_BREAKS.sub(f" {LINE_BREAK} ", text)
    return _SPACES.sub(" ", text).strip(f" {LINE_BREAK}")


def _readable(text: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for place, character in enumerate(text):
        shown = _alone(character)
        if shown is None:
            following = text[place + 1 : place + 2]
            shown = character if _is_needed(character, kept[-1] if kept else "", following) else ""
        if not shown:
            continue
        marks = marks + 1 if unicodedata.category(shown) in _MARKS else 0
        if marks <= MOST_MARKS:
            kept.append(shown)
    return kept


@lru_cache(maxsize=8_192)
def _is_plain(character: str) -> bool:
    """Return whether a character is kept unchanged whatever its neighbours are."""
    return _alone(character) == character and unicodedata.category(character) not in _MARKS


@lru_cache(maxsize=8_192)
def _alone(character: str) -> str | None:
    """Return the replacement of a character: empty to remove it, None if its neighbours decide."""
    code = ord(character)
    if _is_in_ranges(code, _IGNORABLE) or character in _JOINERS:
        return None
    category = unicodedata.category(character)
    if category == "Zs" or character in ("\t", _BRAILLE_BLANK):
        return " "
    if category in ("Co", "Cs") or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:  # noqa: PLR2004 - noncharacters
        return UNREADABLE
    return "" if category == "Cc" else character


def _is_needed(character: str, previous: str, following: str) -> bool:
    if not previous:
        return False
    if character in _SELECTORS:
        return _is_emoji(previous) or (previous in _KEYS and following == _KEYCAP)
    if character not in _JOINERS or not following:
        return False
    if character == "\u200d" and (_is_emoji(previous) or previous in _SELECTORS) and _is_emoji(following):
        return True
    return _is_in_ranges(ord(previous), _JOINING) and _is_in_ranges(ord(following), _JOINING)


def _is_emoji(character: str) -> bool:
    return _is_in_ranges(ord(character), _EMOJI)


def _is_in_ranges(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
