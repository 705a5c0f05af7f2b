"""Shared parts of the parsers: descriptions of shapes, and readers of texts, times and keys."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from porting.values import Format, Item, MessageItem

Json = Mapping[str, Any]
Parse = Callable[[Iterable[Any]], Iterator[Item]]

_KEY_CHARACTERS: Final = 100  # of a reference to a source
_EXTERNAL_ID_CHARACTERS: Final = 200
_MILLISECONDS: Final = 1e11  # a number of seconds over this is one of milliseconds
_EARLIEST: Final = datetime(1970, 1, 2, tzinfo=UTC)
_BULLET: Final = re.compile(r"^\s*(?:[-*+•·]|\d{1,4}[.)、])\s+")
_HEADING: Final = re.compile(r"#{1,6}\s+")
_BOLD_HEADING: Final = re.compile(r"\*\*([^*]+)\*\*:?")
_LONGEST_HEADING: Final = 64
#: As `str.splitlines` splits, but one line at a time, and without empty ones.
_LINE: Final = re.compile("[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a file.

    Attributes:
        format: The product.
        fits: Whether the first item of a file has this shape.
        parse: Returns what the items of a file hold. It raises no error for an item it does not understand.
    """

    format: Format
    fits: Callable[[Json], bool]
    parse: Parse


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of a list of memories, with the heading above it."""

    text: str
    heading: str = ""


def read_text(value: object) -> str:
    """Return a text that PostgreSQL can store: "" for anything else, no NUL, no half of a surrogate pair."""
    if not isinstance(value, str):
        return ""
    if value.isascii():
        return value.replace("\x00", "") if "\x00" in value else value
    return value.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_object(value: object) -> Json:
    """Return a JSON object; an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def read_list(value: object) -> list[Any]:
    """Return a JSON array; an empty one for anything else."""
    return value if isinstance(value, list) else []


def read_external_id(value: object) -> str:
    """Return a program's own id of a conversation; "" for what cannot be one."""
    is_id = isinstance(value, str) and value.isprintable() and len(value) <= _EXTERNAL_ID_CHARACTERS
    return str(value) if is_id else ""


def read_time(value: object) -> datetime | None:
    """Return a time given as ISO 8601, or as seconds or milliseconds since 1970; None if it is no time."""
    if isinstance(value, str):
        return _read_iso(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    seconds = value / 1000 if abs(value) > _MILLISECONDS else value
    try:
        return _drop_early(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _read_iso(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return _drop_early(moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def _drop_early(moment: datetime) -> datetime | None:
    """Return a time, or None for what programs write in place of one: the years 1, 1601, 1900 and 1970."""
    return moment if moment >= _EARLIEST else None


def make_key(*parts: object) -> str:
    """Return a key of at most 100 characters: the parts, or their hash if they are too long or odd."""
    key = ":".join(str(part) for part in parts)
    if len(key) <= _KEY_CHARACTERS and key.isascii() and key.isprintable():
        return key
    digest = hashlib.sha256(":".join(map(str, parts[1:])).encode("utf-8", "replace")).hexdigest()
    return f"{parts[0]}:{digest[:40]}"


def make_text_key(name: str, text: str) -> str:
    """Return the key of something that has no id: the same for the same words."""
    words = " ".join(text.casefold().split())
    return f"{name}:text:{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()[:40]}"


def split_statements(texts: Iterable[str]) -> Iterator[Statement]:
    """Yield the lines of a list or of Markdown, without bullets, headings, fences and blank lines.

    Args:
        texts: Its parts, each of one or more whole lines.
    """
    heading = ""
    for line in (found.group() for text in texts for found in _LINE.finditer(text)):
        if not line.strip() or line.lstrip().startswith(("```", "~~~")) or not line.strip(" -=*_#"):
            continue
        if (title := _read_heading(line.strip())) is not None:
            heading = title
            continue
        words = _BULLET.sub("", line, count=1).strip().replace("**", "")
        if words:
            yield Statement(words, heading)


def _read_heading(line: str) -> str | None:
    """Return the words of a Markdown heading, or of a line that is bold as a whole; None for other lines."""
    mark = _HEADING.match(line)
    words = line[mark.end() :] if mark is not None else ""
    if mark is None and (bold := _BOLD_HEADING.fullmatch(line)) is not None:
        words = bold[1]
    return words.strip(" *:#")[:_LONGEST_HEADING] if words else None


def arrange_messages(messages: Iterable[MessageItem]) -> tuple[MessageItem, ...]:
    """Return messages as a tree: each key once, parents that are missing removed, cycles cut."""
    by_key = {message.key: message for message in messages}
    settled: set[str] = set()
    cut: set[str] = set()
    for key in by_key:
        walked: list[str] = []
        step, walking = key, set()
        while step in by_key and step not in settled and step not in walking:
            walking.add(step)
            walked.append(step)
            step = by_key[step].parent
        if step in walking:
            cut.add(step)
        settled.update(walked)
    return tuple(
        message
        if message.parent in by_key and message.key not in cut
        else MessageItem(message.key, "", message.role, message.content, message.at)
        for message in by_key.values()
    )


def skip_parents(parents: dict[str, str], shown: set[str], key: str) -> str:
    """Return the nearest ancestor of a node that is shown; "" if there is none.

    The nodes between are linked to it, so that a long chain of hidden ones is walked once.
    """
    step, walked = parents.get(key, ""), {key}
    while step and step not in shown and step not in walked:
        walked.add(step)
        step = parents.get(step, "")
    found = step if step in shown else ""
    parents.update(dict.fromkeys(walked, found))
    return found
