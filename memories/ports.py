"""What the memory engine asks of its surroundings, without knowing them.

Whoever holds what memories came from (threads do) registers functions here when the site starts;
with none registered the engine works alone: no sources to show, nothing more to erase.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
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


class Surroundings(Protocol):
    """One neighbour of the engine. Every method sees one owner's rows alone."""

    def sources(self, references: Sequence[str], *, owner: UUID) -> list[SourceText]: ...

    def citations(self, memory_ids: Collection[UUID], *, owner: UUID) -> list[CitationPlace]: ...

    def on_erase(self, memory_ids: Collection[UUID], *, owner: UUID) -> Mapping[str, int]:
        """Let go of what names these memories; how many rows of what went."""
        ...

    def hidden(self, thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:
        """Memories not to be recalled in this thread (None: outside of any)."""
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


def hidden(thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:
    return frozenset(found for n in _neighbours for found in n.hidden(thread, owner=owner))
