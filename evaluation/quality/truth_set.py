"""Read the truth set: statements with dates, and questions about now and about earlier days. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from evaluation.datasets import DatasetError
from evaluation.quality.lines import get_entries, get_noon, get_text, get_texts, read_lines

TRUTH_SET: Final = Path(__file__).parent / "sets" / "truth.jsonl"


@dataclass(frozen=True, slots=True)
class Statement:
    """A person's statement on a day. `id` is unique in its scenario; empty for background."""

    id: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TruthQuestion:
    """A question about now or about a day.

    Attributes:
        as_of: The day; None for now.
        right: Ids of statements that answer it; empty if nothing is true.
        stale: Ids of statements that were or will be true at another time.
        needs_all: Whether all of `right` have to be found, instead of any.
    """

    text: str
    as_of: datetime | None
    right: tuple[str, ...]
    stale: tuple[str, ...]
    needs_all: bool


@dataclass(frozen=True, slots=True)
class Scenario:
    """Statements of one person, oldest first, with questions.

    Attributes:
        kind: What changes, such as `home`, or how, such as `correction`.
        background: Unrelated statements of the same person.
    """

    id: str
    kind: str
    language: str
    statements: tuple[Statement, ...]
    questions: tuple[TruthQuestion, ...]
    background: tuple[Statement, ...] = ()


def read_truth_set(path: Path) -> list[Scenario]:
    """Return the scenarios of a file, each with the background of its language.

    Raises:
        DatasetError: If the file cannot be read or has another format.
    """
    background: dict[str, list[Statement]] = defaultdict(list)
    entries: list[tuple[str, Mapping[str, Any]]] = []
    for place, entry in read_lines(path):
        match entry.get("type"):
            case "background":
                background[get_text(entry, "language", place)] += _read_statements(entry, place)
            case "scenario":
                entries.append((place, entry))
            case other:
                raise DatasetError(f"{place}: type is {other!r}, not background or scenario")
    if not entries:
        raise DatasetError(f"{path.name} has no scenario")
    return [_read_scenario(entry, background, place) for place, entry in entries]


def _read_scenario(
    entry: Mapping[str, Any], background: Mapping[str, Sequence[Statement]], place: str
) -> Scenario:
    statements = _read_statements(entry, place)
    ids = {one.id for one in statements}
    if "" in ids or len(ids) < len(statements):
        raise DatasetError(f"{place}: statements need ids of their own")
    language = get_text(entry, "language", place)
    return Scenario(
        id=get_text(entry, "id", place),
        kind=get_text(entry, "kind", place),
        language=language,
        statements=tuple(sorted(statements, key=lambda one: one.at)),
        questions=tuple(_read_question(one, ids, place) for one in get_entries(entry, "questions", place)),
        background=tuple(background.get(language, ())),
    )


def _read_statements(entry: Mapping[str, Any], place: str) -> list[Statement]:
    return [
        Statement(str(one.get("id", "")), get_noon(one, "at", place), get_text(one, "text", place))
        for one in get_entries(entry, "statements", place)
    ]


def _read_question(entry: Mapping[str, Any], ids: Collection[str], place: str) -> TruthQuestion:
    right, stale = get_texts(entry, "right", place), get_texts(entry, "stale", place)
    unknown = [one for one in (*right, *stale) if one not in ids]
    if unknown:
        raise DatasetError(f"{place}: there is no statement {unknown[0]!r}")
    if not right and not stale:
        raise DatasetError(f"{place}: a question needs right or stale statements")
    return TruthQuestion(
        text=get_text(entry, "text", place),
        as_of=get_noon(entry, "as_of", place) if entry.get("as_of") is not None else None,
        right=right,
        stale=stale,
        needs_all=entry.get("mode", "all") == "all",
    )
