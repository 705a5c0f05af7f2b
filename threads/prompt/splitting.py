"""Split a long text into parts at paragraphs, lines, sentences or words; write JSON as one text. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

#: Where a long text may be split, best first: paragraph, line, sentence, word.
_BOUNDARIES: Final = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?])\s|(?<=[。！？])"),
    re.compile(r"\s"),
)


def split_text(text: str, longest: int) -> list[str]:
    """Split a text into parts of at most `longest` characters.

    Each part ends at the last paragraph break in its second half, else at the last line break, sentence or
    word there. Text without any of these is cut. An empty text has no parts.
    """
    parts: list[str] = []
    rest = text.strip()
    while len(rest) > longest:
        end = _end_of_part(rest, longest)
        parts.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*parts, rest] if rest else parts


def _end_of_part(text: str, longest: int) -> int:
    for boundary in _BOUNDARIES:
        places = [match.start() for match in boundary.finditer(text, longest // 2, longest)]
        if places:
            return places[-1]
    return longest


def text_of_json(value: Any) -> str:  # noqa: ANN401 - JSON that a client or a model wrote
    """Return JSON as a text of one line: `name: value` pairs and items are separated by semicolons."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {text_of_json(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(text_of_json(one) for one in value)
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
