"""Read the everyday set: people with memories, questions in other words, and inputs. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from evaluation.datasets import DatasetError
from evaluation.quality.lines import get_noon, get_text, get_texts, read_lines

#: One file per person.
EVERYDAY_SET: Final = Path(__file__).parent / "sets" / "everyday"
MIXED: Final = "mixed"


@dataclass(frozen=True, slots=True)
class DiaryLine:
    """One first-person memory. `language` is `en`, `zh` or `mixed`."""

    id: str
    at: datetime
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class EverydayInput:
    """A question about the person's memories, or another input of a chat.

    Attributes:
        category: `question`; `needs` for another input that needs a memory; else what kind of input it is.
        memories: Ids of the memories of which any answers it; empty if it needs none.
        across: Whether no memory of these contains the language of the input.
    """

    id: str
    language: str
    category: str
    text: str
    memories: tuple[str, ...]
    across: bool = False


@dataclass(frozen=True, slots=True)
class EverydayPerson:
    """A person: memories, oldest first; questions in other words; and inputs that do or do not need one."""

    name: str
    language: str
    memories: tuple[DiaryLine, ...]
    questions: tuple[EverydayInput, ...]
    inputs: tuple[EverydayInput, ...]


def read_everyday_set(path: Path) -> list[EverydayPerson]:
    """Return the people of a folder of `.jsonl` files, by the files' names, or of one such file.

    Raises:
        DatasetError: If there is none, or one has another format.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise DatasetError(f"{path} has no .jsonl files")
    return [_read_person(file) for file in files]


def _read_person(path: Path) -> EverydayPerson:
    name, language = path.stem, ""
    memories: dict[str, DiaryLine] = {}
    entries: list[tuple[str, Mapping[str, Any]]] = []
    for place, entry in read_lines(path):
        match entry.get("type"):
            case "person":
                name, language = get_text(entry, "id", place), get_text(entry, "language", place)
            case "memory":
                line = _read_memory(entry, place)
                if line.id in memories:
                    raise DatasetError(f"{place}: there is another memory {line.id!r}")
                memories[line.id] = line
            case "question" | "input":
                entries.append((place, entry))
            case other:
                raise DatasetError(f"{place}: type is {other!r}, not person, memory, question or input")
    if not language or not memories:
        raise DatasetError(f"{path.name} should have a person and memories")
    read = [(entry["type"], _read_input(entry, memories, place)) for place, entry in entries]
    return EverydayPerson(
        name=name,
        language=language,
        memories=tuple(sorted(memories.values(), key=lambda one: one.at)),
        questions=tuple(one for kind, one in read if kind == "question"),
        inputs=tuple(one for kind, one in read if kind == "input"),
    )


def _read_memory(entry: Mapping[str, Any], place: str) -> DiaryLine:
    return DiaryLine(
        id=get_text(entry, "id", place),
        at=get_noon(entry, "at", place),
        language=get_text(entry, "language", place),
        text=get_text(entry, "text", place),
    )


def _read_input(entry: Mapping[str, Any], memories: Mapping[str, DiaryLine], place: str) -> EverydayInput:
    right, language = get_texts(entry, "memories", place), get_text(entry, "language", place)
    missing = [one for one in right if one not in memories]
    if missing:
        raise DatasetError(f"{place}: there is no memory {missing[0]!r}")
    is_question = entry["type"] == "question"
    if is_question and not right:
        raise DatasetError(f"{place}: a question needs memories")
    return EverydayInput(
        id=get_text(entry, "id", place),
        language=language,
        category="question" if is_question else get_text(entry, "category", place),
        text=get_text(entry, "text", place),
        memories=right,
        across=is_across(language, [memories[one].language for one in right]),
    )


def is_across(language: str, languages: Collection[str]) -> bool:
    """Return whether no text in `languages` has `language`; one that is `mixed` has every language."""
    return bool(languages) and not {language, MIXED}.intersection(languages)
