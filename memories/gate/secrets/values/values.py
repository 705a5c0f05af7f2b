"""Read the value after a keyword, without what surrounds it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# A bare value ends at a space, at Chinese, Japanese or Korean text, and at enclosing marks. A quote may stay
# open if the text is cut off. Four groups of four letters are an app password of a mail provider.
_VALUE: Final = re.compile(
    r"""
    (?:[bru]{1,2}(?=["']))?
    (?: \\?"(?P<double>[^"\n]{1,200}?)\\?" | \\?'(?P<single>[^'\n]{1,200}?)\\?' | `(?P<tick>[^`\n]{1,200})` )
    | (?P<spaced>[a-z]{4}(?:[ ][a-z]{4}){3}(?![a-z]))
    | [(*"'`]{0,3}(?P<raw>[^\s"'<>`|\u2e80-\u9fff\uac00-\ud7af]{1,256})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CUT: Final = re.compile(r"[,;&](?=[A-Za-z_][\w.-]{0,40}\s?[=:])|[,;](?=[\"'{\[])")
_CUT_EASTERN: Final = re.compile(r"[,;]")
_TRAILING: Final = ".,;:*_)]}\\"
_TRAILING_IN_BRACKETS: Final = ".,;:"
_QUOTES: Final = "\"'`"
_LOOK_AFTER: Final = 24  # characters


@dataclass(frozen=True, slots=True)
class Value:
    """A value at text[start:end].

    Attributes:
        link: Kind of connection to the keyword, a group of `keywords.LINK`.
        operator: Operator of an assignment, such as `=`, or the verb, or else what closes the keyword's
            quotes.
        quoted: Whether the value is in quotes.
        after: The next 24 characters of the text.
    """

    text: str
    start: int
    end: int
    link: str
    operator: str
    quoted: bool
    after: str


def read_value(text: str, start: int, link: str, operator: str = "") -> Value | None:
    """Return the value that starts at `start`, without the punctuation around it, or None."""
    match = _VALUE.match(text, start)
    if match is None or match.lastgroup is None:
        return None
    found = match.group(match.lastgroup)
    bare = match.lastgroup == "raw"
    if bare:
        found = _trimmed(found, _CUT_EASTERN if link in {"eastern", "glued"} else _CUT)
    if not found:
        return None
    begin = match.start(match.lastgroup)
    end = begin + len(found)
    cut_short = end == len(text) and text[begin - 1] in _QUOTES
    return Value(found, begin, end, link, operator, not bare or cut_short, text[end : end + _LOOK_AFTER])


def _trimmed(found: str, cut: re.Pattern[str]) -> str:
    """Cut a value at the next field, and remove trailing punctuation."""
    following = cut.search(found)
    if following:
        found = found[: following.start()]
    return found.rstrip(_TRAILING_IN_BRACKETS if "(" in found else _TRAILING)
