"""Return the history of a memory, with all of its wordings, and its connected memories."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final
from uuid import UUID

from django.db.models import Q

from memories.curation.erasing import list_wordings
from memories.models import Event, EventType, LinkKind, Memory, MemoryLink, Relation
from memories.storage import (
    get_memory,
    list_events_of_batch,
    list_events_of_memories,
    list_learnt_from,
    list_memories,
)
from memories.values import Status

#: The most links, and the most relations, that are loaded of one memory.
_MOST: Final = 60
#: The most sources whose other memories are looked up.
_MOST_SOURCES: Final = 20


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One event.

    Attributes:
        content: The text of the memory that the event changed.
        before: The previous values of the fields that changed.
    """

    at: datetime
    event: str
    reason: str
    actor: str
    batch_id: UUID
    memory_id: UUID
    content: str
    valid_from: datetime | None
    valid_until: datetime | None
    before: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class WordingChain:
    """A memory with its predecessors and successors, at any distance.

    Attributes:
        rows: All of them, by id.
        events: Their events, the newest first.
        is_cut: Whether older events were left out.
        links: The reason of each link "memory supersedes other" between them, by (memory, other).
    """

    rows: dict[UUID, Memory]
    events: list[Event]
    is_cut: bool
    links: dict[tuple[UUID, UUID], str]


class Role(Enum):
    """The relation of a connected memory to the memory in question."""

    SUCCESSOR = "successor"
    PREDECESSOR = "predecessor"
    OPPONENT = "opponent"
    FORMER_OPPONENT = "former opponent"
    BASIS = "basis"
    RESULT = "result"
    COMPARED = "compared"
    SAME_SOURCE = "same source"


@dataclass(frozen=True, slots=True)
class Connection:
    """A connected memory.

    Attributes:
        reason: The reason of the link, as the writer named it; "" for the same source.
    """

    memory: Memory
    role: Role
    reason: str


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation that a memory states, by the names of its entities."""

    subject: str
    predicate: str
    object: str


#: Kind of link → the role of its other end, seen from its beginning and from its end.
_ROLES: Final[Mapping[str, tuple[Role, Role]]] = {
    LinkKind.SUPERSEDES: (Role.PREDECESSOR, Role.SUCCESSOR),
    LinkKind.DISPUTES: (Role.OPPONENT, Role.OPPONENT),
    LinkKind.DERIVED_FROM: (Role.BASIS, Role.RESULT),
    LinkKind.RELATED: (Role.COMPARED, Role.COMPARED),
}


def list_history(memory_id: str | UUID, *, owner: UUID) -> list[HistoryEntry]:
    """Return the events of the memory, its predecessors and its successors, oldest first."""
    chain = list_wordings(get_memory(memory_id, owner=owner).pk, owner=owner)
    rows = Memory.objects.filter(owner_id=owner).in_bulk(chain)
    return [
        HistoryEntry(
            at=event.created_at,
            event=event.type,
            reason=event.reason,
            actor=event.actor,
            batch_id=event.batch_id,
            memory_id=row.pk,
            content=row.content,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            before=event.before,
        )
        for event in list_events_of_memories(chain, owner=owner)
        if (row := rows.get(event.memory_id)) is not None
    ]


def load_wording_chain(memory_id: UUID, *, owner: UUID, most: int) -> WordingChain:
    """Return a memory with all its wordings and their newest events. Four queries.

    Args:
        memory_id: A memory of the owner.
        owner: The owner.
        most: The most events to load.
    """
    chain = list_wordings(memory_id, owner=owner)
    events = list(list_events_of_memories(chain, owner=owner).order_by("-sequence")[: most + 1])
    return WordingChain(
        rows=Memory.objects.filter(owner_id=owner).defer("terms", "entity_terms").in_bulk(chain),
        events=events[:most],
        is_cut=len(events) > most,
        links=_load_links(chain, owner=owner),
    )


def count_memories_of_batch(batch_id: UUID, *, owner: UUID) -> int:
    """Return how many memories a batch changed."""
    events = list_events_of_batch(batch_id, owner=owner).order_by()
    return events.values("memory_id").distinct().count()


def find_erasure(memory_id: UUID, *, owner: UUID) -> Event | None:
    """Return the event that erased a memory of the owner, or None if there was none."""
    return Event.objects.filter(owner_id=owner, memory_id=memory_id, type=EventType.DELETED).first()


def list_connections(memory: Memory, references: Sequence[str], *, owner: UUID) -> list[Connection]:
    """Return the memories that are connected to one: the linked ones, newest link first, then the others.

    Three queries, whatever their number.

    Args:
        memory: A memory of the owner.
        references: The references of its sources; what was learnt from them too is connected.
        owner: The owner.
    """
    links = _load_links_of(memory.pk, owner=owner)
    siblings = list_learnt_from(references[-_MOST_SOURCES:], owner=owner) - {memory.pk}
    ends = {end for link in links for end in (link.memory_id, link.other_id)}
    chosen = sorted(siblings - ends, reverse=True)[:_MOST]
    rows = list_memories(owner=owner).in_bulk([*ends, *chosen])
    linked = [_connect(link, memory, rows) for link in links]
    others = [Connection(rows[one], Role.SAME_SOURCE, "") for one in chosen if one in rows]
    return [*linked, *others]


def list_stated_relations(memory_id: UUID, *, owner: UUID) -> list[StatedRelation]:
    """Return the relations between entities that a memory states. One query."""
    rows = Relation.objects.filter(owner_id=owner, memory_id=memory_id).order_by("id")
    found = rows.values_list("subject__name", "predicate", "object__name")[:_MOST]
    return [StatedRelation(*names) for names in found]


def _load_links(chain: Collection[UUID], *, owner: UUID) -> dict[tuple[UUID, UUID], str]:
    links = MemoryLink.objects.filter(owner_id=owner, memory_id__in=chain, kind=LinkKind.SUPERSEDES)
    return {
        (memory_id, other_id): reason
        for memory_id, other_id, reason in links.values_list("memory_id", "other_id", "reason")
    }


def _load_links_of(memory_id: UUID, *, owner: UUID) -> list[MemoryLink]:
    ends = Q(memory_id=memory_id) | Q(other_id=memory_id)
    return list(MemoryLink.objects.filter(ends, owner_id=owner).order_by("-created_at", "-id")[:_MOST])


def _connect(link: MemoryLink, memory: Memory, rows: Mapping[UUID, Memory]) -> Connection:
    is_begin = link.memory_id == memory.pk
    other = rows[link.other_id if is_begin else link.memory_id]
    role = _ROLES[link.kind][0 if is_begin else 1]
    if role is Role.OPPONENT and not memory.status == other.status == Status.DISPUTED:
        role = Role.FORMER_OPPONENT
    return Connection(other, role, link.reason)
