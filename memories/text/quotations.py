"""The frame in which learning quotes what it cannot rephrase: The user said: “…”. Pure."""

from __future__ import annotations

import re
from typing import Final

_FRAME: Final = re.compile(
    r"\s*(?:the user (?:said|asked|mentioned): [\"“]|用户(?:说|要求|提到)：“)", re.IGNORECASE
)


def remove_frame(text: str) -> str:
    """Return the quoted words of a memory that quotes its person; any other text unchanged."""
    found = _FRAME.match(text)
    return text[found.end() :].rstrip().rstrip('”"') if found else text
