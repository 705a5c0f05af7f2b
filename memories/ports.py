"""Define what the memory engine needs from other apps, without importing them.

An app that holds the sources of memories, such as threads, registers an object here when the site starts.
Without one, the engine works alone: it has no sources to show and nothing more to erase.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SourceText:
    """One source of a memory, as it is shown to a person. `url` is the page that shows it, if any."""

    reference: str
    text: str
    speaker: str
    at: datetime
    url: str = ""


@dataclass(frozen=True, slots=True)
class CitationPlace:
    """One place where a memory was cited.

    Attributes:
        relevance: In [0, 1]; None if unknown, and for a requirement.
        url: The page that shows it, if any.
        title: The title of that page; empty if it has none.
        is_respected: Whether the memory was there as a requirement.
    """

    memory_id: UUID
    at: datetime
    relevance: float | None
    url: str = ""
    title: str = ""
    is_respected: bool = False


@dataclass(frozen=True, slots=True)
class LearningCounts:
    """Counts of learning runs.

    Attributes:
        batches: Runs that completed.
        answered: Completed runs that the model answered.
        fell_back: Completed runs that used the rules because the model failed.
        failed: Runs that failed for good.
    """

    batches: int = 0
    answered: int = 0
    fell_back: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class RecallCounts:
    """Counts of recall.

    Attributes:
        citations: Citations of recalled memories, without those of requirements.
        contexts: Contexts with at least one recalled memory.
        memories: Distinct memories recalled.
        useful: Citations marked as useful, of requirements too.
        useless: Citations marked as useless, of requirements too.
    """

    citations: int = 0
    contexts: int = 0
    memories: int = 0
    useful: int = 0
    useless: int = 0


class MemorySources(Protocol):
    """An app that the engine asks for what belongs to memories. Every method reads one owner's rows only."""

    def sources(self, references: Sequence[str], *, owner: UUID) -> list[SourceText]:
        """Return the sources with these references that belong to this app."""
        ...

    def citations(
        self, memory_ids: Collection[UUID], *, owner: UUID, most: int | None = None
    ) -> list[CitationPlace]:
        """Return the places where these memories were cited, newest first; at most `most`."""
        ...

    def count_citations(self, memory_ids: Collection[UUID], *, owner: UUID) -> int:
        """Return how often these memories were cited."""
        ...

    def on_erase(self, memory_ids: Collection[UUID], *, owner: UUID) -> Mapping[str, int]:
        """Remove every reference to these memories, and return the number of rows changed, by name."""
        ...

    def tables(self) -> Collection[str]:
        """Return the tables that `on_erase` removes text from, except those of a person's messages."""
        ...

    def hidden(self, thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:
        """Return the memories that must not be recalled in this thread; None means outside of any thread."""
        ...

    def learning_counts(self, since: datetime, *, owner: UUID) -> LearningCounts:
        """Return the counts of learning since this time."""
        ...

    def recall_counts(self, since: datetime, *, owner: UUID) -> RecallCounts:
        """Return the counts of citations and their feedback since this time."""
        ...


_providers: list[MemorySources] = []


def register(neighbour: MemorySources) -> None:
    """Register an object. Called once, from `AppConfig.ready()`."""
    _providers.append(neighbour)


def sources(references: Sequence[str], *, owner: UUID) -> list[SourceText]:
    """Return the sources with these references, from all registered objects."""
    return [found for n in _providers for found in n.sources(references, owner=owner)]


def citations(memory_ids: Collection[UUID], *, owner: UUID, most: int | None = None) -> list[CitationPlace]:
    """Return the places where these memories were cited, at most `most` from each registered object."""
    return [found for n in _providers for found in n.citations(memory_ids, owner=owner, most=most)]


def count_citations(memory_ids: Collection[UUID], *, owner: UUID) -> int:
    """Return how often these memories were cited, in all registered objects."""
    return sum(n.count_citations(memory_ids, owner=owner) for n in _providers)


def on_erase(memory_ids: Collection[UUID], *, owner: UUID) -> dict[str, int]:
    """Call `on_erase` of all registered objects, and return the sums of their counts by name."""
    counts: dict[str, int] = {}
    for neighbour in _providers:
        for name, count in neighbour.on_erase(memory_ids, owner=owner).items():
            counts[name] = counts.get(name, 0) + count
    return counts


def tables() -> frozenset[str]:
    """Return the tables of all registered objects that `on_erase` removes text from."""
    return frozenset(name for n in _providers for name in n.tables())


def hidden(thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:
    """Return the memories that any registered object hides from recall in this thread."""
    return frozenset(found for n in _providers for found in n.hidden(thread, owner=owner))


def learning_counts(since: datetime, *, owner: UUID) -> LearningCounts:
    """Return the sums of the learning counts of all registered objects."""
    return LearningCounts(*_summed(astuple(n.learning_counts(since, owner=owner)) for n in _providers))


def recall_counts(since: datetime, *, owner: UUID) -> RecallCounts:
    """Return the sums of the recall counts of all registered objects."""
    return RecallCounts(*_summed(astuple(n.recall_counts(since, owner=owner)) for n in _providers))


def _summed(counts: Iterable[tuple[int, ...]]) -> list[int]:
    """Return the sums of the columns; an empty list without rows."""
    return [sum(column) for column in zip(*counts, strict=True)]
