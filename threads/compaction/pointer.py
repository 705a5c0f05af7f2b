"""What stands in a message in place of its offloaded content. Pure."""

from __future__ import annotations

import json
from typing import Any, Final
from uuid import UUID

POINTER: Final = "_OFFLOADED_"
PREVIEW_CHARACTERS: Final = 200
_LINE_CHARACTERS: Final = 80  # of the content's first line, in the summary
_KEYS: Final = 8  # of a JSON object that the summary names
_JSON_CHARACTERS: Final = 200_000  # a longer text is not parsed for its summary


def pointer(content: str, memory_id: UUID) -> str:
    """{"_OFFLOADED_": {"memory_id", "summary", "preview", "total_length"}} as JSON text.

    memory_id: what the whole is read by; summary: one line by rules; preview: the first 200 characters;
    total_length: characters of the whole.
    """
    told = {
        "memory_id": str(memory_id),
        "summary": summary_of(content),
        "preview": content[:PREVIEW_CHARACTERS],
        "total_length": len(content),
    }
    return json.dumps({POINTER: told}, ensure_ascii=False)


def summary_of(content: str) -> str:
    """One line: what it is and how much of it; of a text its first line, of JSON its keys or its length."""
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
