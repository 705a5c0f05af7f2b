"""Read labelled people and changes: a file for each writer. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PEOPLE: Final = Path(__file__).parent / "data" / "people"
CHANGES: Final = Path(__file__).parent / "data" / "changes"


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory in two forms: as a program stores it, and as its person said it in a chat."""

    id: str
    fact: str
    said: str


@dataclass(frozen=True, slots=True)
class LabelledInput:
    """What a person writes to an assistant.

    Attributes:
        category: `question`, `kind` (for all of a kind), `task`, `other` (near a memory), or `none`.
        needs: Memories that an assistant must know to answer well.
        may: Memories that are useful or harmless.
    """

    text: str
    category: str
    needs: frozenset[str]
    may: frozenset[str]


@dataclass(frozen=True, slots=True)
class Later:
    """What a person said months later, in two forms.

    Attributes:
        about: The memory that it ends, or that it is near to without ending it.
        question: A question about it now; empty if it ends nothing.
    """

    fact: str
    said: str
    about: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """One invented person. `writer` is who wrote them."""

    writer: str
    memories: tuple[Remembered, ...]
    inputs: tuple[LabelledInput, ...]
    changes: tuple[Later, ...]
    beside: tuple[Later, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A question about now, an older statement that answered it, and a newer one that may end it."""

    writer: str
    question: str
    older: str
    newer: str
    is_ended: bool


def read_changes(folder: Path = CHANGES) -> list[Change]:
    """Return the lines of `data/changes`: 1 or 0, question, older, newer; by writer."""
    return [
        Change(path.stem, question, older, newer, label == "1")
        for path in sorted(folder.glob("*.tsv"))
        for label, question, older, newer in (
            line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
        )
    ]


def read_people(folder: Path = PEOPLE) -> list[Person]:
    """Return the people of all writers."""
    return [
        _read_person(path.stem, json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


def _read_person(writer: str, entry: dict[str, Any]) -> Person:
    return Person(
        writer=writer,
        memories=tuple(Remembered(one["id"], one["fact"], one["said"]) for one in entry["memories"]),
        inputs=tuple(
            LabelledInput(one["text"], one["class"], frozenset(one["needs"]), frozenset(one["may"]))
            for one in entry["inputs"]
        ),
        changes=tuple(
            Later(one["fact"], one["said"], one["old"], one["question"]) for one in entry["changes"]
        ),
        beside=tuple(Later(one["fact"], one["said"], one["near"]) for one in entry["beside"]),
    )
