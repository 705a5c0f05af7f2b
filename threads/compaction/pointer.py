"""Write the pointer that replaces offloaded content. Pure."""

from __future__ import annotations

import json
from typing import Any, Final
from uuid import UUID

POINTER: Final = "_OFFLOADED_"
PREVIEW_CHARACTERS: Final = 200
_LINE_CHARACTERS: Final = 80  # of the content's first line
_KEYS: Final = 8  # keys of a JSON object that the summary lists
_JSON_CHARACTERS: Final = 200_000  # a longer text is not parsed for its summary


def make_pointer(content: str, memory_id: UUID) -> str:
    """Return {"_OFFLOADED_": {"memory_id", "summary", "preview", "total_length"}} as JSON text.

    `memory_id` is the id by which the original can be read, `summary` one line made by rules, `preview` the
    first 200 characters, `total_length` the number of characters of the original.
    """
    described = {
        "memory_id": str(memory_id),
        "summary": describe_content(content),
        "preview": content[:PREVIEW_CHARACTERS],
        "total_length": len(content),
    }
    return json.dumps({POINTER: described}, ensure_ascii=False)


def describe_content(content: str) -> str:
    """Describe a text in one line: its type and size, and its first line, JSON keys or list length."""
    size = f"{len(content):,} characters"
    value = _parsed(content)
    if isinstance(value, dict) and value:
        names = ", ".join(str(name)[:_LINE_CHARACTERS] for name in list(value)[:_KEYS])
        more = ", …" if len(value) > _KEYS else ""
        return f"JSON object, {size}: {_one_line(names + more)}"
    if isinstance(value, list):
        return f"JSON list of {len(value):,}, {size}"
    lines = content.count("\n") + 1
    return f"Text, {lines:,} {'line' if lines == 1 else 'lines'}, {size}: {_first_line(content)}"


def _parsed(content: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    if len(content) > _JSON_CHARACTERS or content.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _first_line(content: str) -> str:
    lines = content.strip().splitlines()
    return _one_line(lines[0]) if lines else ""


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LINE_CHARACTERS else line[: _LINE_CHARACTERS - 1].rstrip() + "…"
