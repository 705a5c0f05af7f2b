"""Read JSON Lines, with errors that name the line. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluation.datasets import DatasetError

#: The hour of a day at which everything of that day happens.
NOON = 12


def read_lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each line's place (for errors) and object; empty lines are left out.

    Raises:
        DatasetError: If the file cannot be read or a line is not a JSON object.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}") from None
    for number, line in enumerate(text.splitlines(), start=1):
        place = f"{path.name}, line {number}"
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise DatasetError(f"{place} is not JSON: {error}") from None
        if not isinstance(entry, Mapping):
            raise DatasetError(f"{place} should hold an object")
        yield place, entry


def get_text(entry: Mapping[str, Any], name: str, place: str) -> str:
    """Return a text of an entry.

    Raises:
        DatasetError: If it is missing, empty or no text.
    """
    found = entry.get(name)
    if not isinstance(found, str) or not found.strip():
        raise DatasetError(f"{place}: {name!r} should be a text")
    return found


def get_texts(entry: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
    """Return a list of texts of an entry; empty if it is missing.

    Raises:
        DatasetError: If it is no list of texts.
    """
    found = entry.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise DatasetError(f"{place}: {name!r} should be a list of texts")
    return tuple(found)


def get_entries(entry: Mapping[str, Any], name: str, place: str) -> list[Mapping[str, Any]]:
    """Return a list of objects of an entry.

    Raises:
        DatasetError: If it is missing or no list of objects.
    """
    found = entry.get(name)
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise DatasetError(f"{place}: {name!r} should be a list of objects")
    return found


def get_noon(entry: Mapping[str, Any], name: str, place: str) -> datetime:
    """Return noon (UTC) of a day of an entry.

    Raises:
        DatasetError: If it is no ISO 8601 date.
    """
    stated = get_text(entry, name, place)
    try:
        return datetime.fromisoformat(stated).replace(hour=NOON, tzinfo=UTC)
    except ValueError:
        raise DatasetError(f"{place}: {stated!r} is not a date like 2024-03-09") from None
