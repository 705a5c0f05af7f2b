"""Read stories: what was told and stored on which day, and what a prompt must and must not say. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from evaluation.datasets import DatasetError
from evaluation.quality.lines import get_entries, get_noon, get_text, get_texts, read_lines

STORIES: Final = Path(__file__).parent.parent / "sets" / "stories.jsonl"


@dataclass(frozen=True, slots=True)
class StoryMessage:
    """A message of the person. What has the same `thread` was said in one chat. `reply`: the answer to it."""

    at: datetime
    text: str
    thread: str
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A fact that a program stored, and when."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """An input in a new chat, and what its prompt should say beside it. Upper and lower case are the same.

    Attributes:
        must: Texts that should all stand in the prompt.
        one_of: Texts of which at least one should.
        must_not: Texts of which none may.
        nothing: Whether no memory may be added at all.
    """

    text: str
    must: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """What one person tells, oldest first, and the inputs after it. `kind` groups stories in the report."""

    id: str
    kind: str
    language: str
    messages: tuple[StoryMessage, ...]
    stored: tuple[Stored, ...]
    asks: tuple[Ask, ...]


def read_stories(path: Path) -> list[Story]:
    """Return the stories of a `.jsonl` file.

    Raises:
        DatasetError: If it cannot be read or has another format.
    """
    return [_read_story(entry, place) for place, entry in read_lines(path)]


def _read_story(entry: Mapping[str, Any], place: str) -> Story:
    messages = [
        StoryMessage(
            at=get_noon(one, "at", place),
            text=get_text(one, "said", place),
            thread=one.get("thread") or get_text(one, "at", place),
            reply=one.get("reply", ""),
        )
        for one in _get_optional(entry, "told", place)
    ]
    stored = [
        Stored(get_noon(one, "at", place), get_text(one, "text", place))
        for one in _get_optional(entry, "stored", place)
    ]
    if not messages and not stored:
        raise DatasetError(f"{place}: nothing is told or stored")
    return Story(
        id=get_text(entry, "id", place),
        kind=get_text(entry, "kind", place),
        language=get_text(entry, "language", place),
        messages=tuple(sorted(messages, key=lambda one: one.at)),
        stored=tuple(sorted(stored, key=lambda one: one.at)),
        asks=tuple(_read_ask(one, place) for one in get_entries(entry, "asks", place)),
    )


def _read_ask(entry: Mapping[str, Any], place: str) -> Ask:
    ask = Ask(
        text=get_text(entry, "input", place),
        must=get_texts(entry, "must", place),
        one_of=get_texts(entry, "one_of", place),
        must_not=get_texts(entry, "must_not", place),
        nothing=bool(entry.get("nothing", False)),
    )
    if not (ask.must or ask.one_of or ask.must_not or ask.nothing):
        raise DatasetError(f"{place}: an input has nothing to check")
    return ask


def _get_optional(entry: Mapping[str, Any], name: str, place: str) -> list[Mapping[str, Any]]:
    return get_entries(entry, name, place) if name in entry else []
