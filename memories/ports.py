"""What the memory engine asks of its surroundings, without knowing them.

Whoever holds what memories came from (threads do) registers functions here when the site starts;
with none registered the engine works alone: no sources to show, nothing more to erase.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SourceText:
    """One source of a memory as a person may see it. url: the page that shows it, if there is one."""

    reference: str
    text: str
    said_by: str
    at: datetime
    url: str = ""


@dataclass(frozen=True, slots=True)
class CitationPlace:
    """One place where a memory was cited."""

    memory_id: UUID
    at: datetime
    score: float
    url: str = ""


@dataclass(frozen=True, slots=True)
class LearningCounts:
    """Runs of learning.

    batches: ended well; of these the model answered, or fell back where it was asked in vain; failed: dead.
    """

    batches: int = 0
    answered: int = 0
    fell_back: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class RecallCounts:
    """What recall brought. contexts: with a memory in them; memories: different ones; the rest: as judged."""

    citations: int = 0
    contexts: int = 0
    memories: int = 0
    useful: int = 0
    useless: int = 0


class Surroundings(Protocol):
    """One neighbour of the engine. Every method sees one owner's rows alone."""

    def sources(self, references: Sequence[str], *, owner: UUID) -> list[SourceText]: ...

    def citations(self, memory_ids: Collection[UUID], *, owner: UUID) -> list[CitationPlace]: ...

    def on_erase(self, memory_ids: Collection[UUID], *, owner: UUID) -> Mapping[str, int]:
        """Let go of what names these memories; how many rows of what went."""
        ...

    def tables(self) -> Collection[str]:
        """Database tables that `on_erase` takes text from; none that a person's own words stand in."""
        ...

    def hidden(self, thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:
        """Memories not to be recalled in this thread (None: outside of any)."""
        ...

    def learning_counts(self, since: datetime, *, owner: UUID) -> LearningCounts:
        """How learning went since then."""
        ...

    def recall_counts(self, since: datetime, *, owner: UUID) -> RecallCounts:
        """How often memories were cited since then, and how that was liked."""
        ...


_neighbours: list[Surroundings] = []


def register(neighbour: Surroundings) -> None:
    """Add a neighbour; called once, from `AppConfig.ready()`."""
    _neighbours.append(neighbour)


def sources(references: Sequence[str], *, owner: UUID) -> list[SourceText]:
    return [found for n in _neighbours for found in n.sources(references, owner=owner)]


def citations(memory_ids: Collection[UUID], *, owner: UUID) -> list[CitationPlace]:
    return [found for n in _neighbours for found in n.citations(memory_ids, owner=owner)]


def on_erase(memory_ids: Collection[UUID], *, owner: UUID) -> dict[str, int]:
    counts: dict[str, int] = {}
    for neighbour in _neighbours:
        for name, count in neighbour.on_erase(memory_ids, owner=owner).items():
            counts[name] = counts.get(name, 0) + count
    return counts


def tables() -> frozenset[str]:
    return frozenset(name for n in _neighbours for name in n.tables())


def hidden(thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:
    return frozenset(found for n in _neighbours for found in n.hidden(thread, owner=owner))


def learning_counts(since: datetime, *, owner: UUID) -> LearningCounts:
    return LearningCounts(*_summed(astuple(n.learning_counts(since, owner=owner)) for n in _neighbours))


def recall_counts(since: datetime, *, owner: UUID) -> RecallCounts:
    return RecallCounts(*_summed(astuple(n.recall_counts(since, owner=owner)) for n in _neighbours))


def _summed(counts: Iterable[tuple[int, ...]]) -> list[int]:
    """Column by column; nothing for nobody."""
    return [sum(column) for column in zip(*counts, strict=True)]
