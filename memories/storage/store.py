"""Write an owner's memories, index, graph and events in one transaction at a time.

Every change of memories goes through `open_batch`. It locks the owner's ledger and records the previous
values. On leaving, it saves changed rows first and new rows second (a successor may take the fingerprint that
its predecessor gives up), numbers the events and increments the index version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from memories.models import (
    Event,
    EventType,
    Ledger,
    LinkKind,
    Memory,
    MemoryEmbedding,
    MemoryLink,
    MemorySource,
)
from memories.storage.copying import copy_rows
from memories.storage.events import lock_ledger
from memories.storage.graph import graph_index
from memsite.events.log import NewEvents, log_events
from memsite.events.types import LoggedType
from memsite.jobs import enqueue
from memsite.llm.embedding import get_sentence_embedder
from memsite.values import new_id

#: The task that gives an owner's new memories their sentence vectors, and how many seconds after the first of
#: them was written it starts, so that it finds those that are written together.
FILL: Final = "memories.tasks.fill_in_owner"
FILL_AFTER: Final = 0.5


@dataclass(slots=True)
class Draft:
    """A memory that is about to be stored, with what the index needs.

    Attributes:
        vector: A vector of unit length, or None if embedding failed; the sweep fills it in.
        tokens: Packed token ids.
        only_changes: As of `Candidate`.
    """

    memory: Memory
    model: str = ""
    vector: Any = None
    tokens: bytes = b""
    entities: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    derived_from: tuple[UUID, ...] = ()
    only_changes: bool = False


@dataclass(slots=True)
class WriteBatch:
    """One batch of changes to one owner's memories. `now` is the time of all of them."""

    owner: UUID
    actor: str
    reason: str
    batch_id: UUID
    now: datetime
    ledger: Ledger
    _inserted: list[Draft] = field(default_factory=list)
    _inserted_ids: set[UUID] = field(default_factory=set)
    _changed: dict[UUID, Memory] = field(default_factory=dict)
    _changed_fields: set[str] = field(default_factory=set)
    _links: list[MemoryLink] = field(default_factory=list)
    _sources: list[MemorySource] = field(default_factory=list)
    _moved: dict[UUID, MemorySource] = field(default_factory=dict)
    _events: list[dict[str, Any]] = field(default_factory=list)
    _afterwards: list[Callable[[], None]] = field(default_factory=list)

    @property
    def index_version(self) -> int:
        """The index version that the rows of this batch get."""
        return self.ledger.index_version + 1

    def insert(self, draft: Draft) -> None:
        """Store a new memory with its embedding, graph rows, sources and event."""
        memory = draft.memory
        memory.index_version = self.index_version
        memory.created_at = memory.updated_at = self.now
        self._inserted.append(draft)
        self._inserted_ids.add(memory.id)
        memory.source_references = list(draft.sources)
        memory.superseded_ids = []
        for other in draft.derived_from:
            self.link(memory, other, "derived_from")
        for reference in draft.sources:
            self.add_source(memory, reference, stated_at=memory.occurred_at)
        self._note(EventType.CREATED, memory, before=None)

    def is_new(self, memory: Memory) -> bool:
        """Return whether this batch inserts the row; its fields may then still be set freely."""
        return memory.pk in self._inserted_ids

    def change(self, memory: Memory, event: EventType, *, reason: str = "", **values: Any) -> None:
        """Set fields of a row and record their previous values. Write no event if nothing differs.

        A row that this batch inserts has no previous values; of its changes, only a dispute becomes an event.
        """
        fields = tuple(name for name, value in values.items() if getattr(memory, name) != value)
        if not fields:
            return
        before = memory.snapshot(fields)
        for name in fields:
            setattr(memory, name, values[name])
        memory.updated_at = self.now
        if not self.is_new(memory):
            self._keep(memory, fields)
        elif event != EventType.DISPUTED:
            return
        self._note(event, memory, before=before, reason=reason)

    def derive(self, memory: Memory, **values: Any) -> None:
        """Set columns that are derived from others. No event records them; undoing derives them again."""
        for name, value in values.items():
            setattr(memory, name, value)
        if not self.is_new(memory):
            self._keep(memory, tuple(values))

    def _keep(self, memory: Memory, fields: tuple[str, ...]) -> None:
        memory.index_version = self.index_version
        self._changed[memory.pk] = memory
        self._changed_fields.update(fields)

    def link(self, memory: Memory, other: UUID, kind: str, *, reason: str = "") -> None:
        """Link `memory` to `other`: "memory —kind→ other"."""
        if kind == LinkKind.SUPERSEDES and memory.pk in self._inserted_ids:
            memory.superseded_ids.append(other)
        self._links.append(
            MemoryLink(owner_id=self.owner, memory_id=memory.pk, other_id=other, kind=kind, reason=reason)
        )

    def add_source(
        self,
        memory: Memory,
        reference: str,
        fingerprint: bytes | None = None,
        *,
        stated_at: datetime | None = None,
    ) -> None:
        """Add a source to a memory. A pair that exists stays as it is.

        Args:
            memory: The memory.
            reference: The reference of the source.
            fingerprint: The fingerprint of what the source said, if its wording differs from the memory's.
            stated_at: When the source said it, if that is known.
        """
        self._sources.append(
            MemorySource(
                owner_id=self.owner,
                memory_id=memory.pk,
                reference=reference,
                fingerprint=fingerprint or memory.fingerprint,
                stated_at=stated_at,
            )
        )

    def load_sources_of(self, memory: Memory) -> list[MemorySource]:
        """Return the sources of a memory, with the changes of this batch so far."""
        stored = MemorySource.objects.filter(owner_id=self.owner, memory_id=memory.pk)
        changed = (*self._moved.values(), *self._sources)
        return [
            *(one for one in stored if one.pk not in self._moved),
            *(one for one in changed if one.memory_id == memory.pk),
        ]

    def split_off(self, memory: Memory, sources: Sequence[MemorySource], **values: Any) -> Memory:
        """Insert a copy of a memory with other values, which takes over some of its sources.

        The copy has the names and the vectors of the memory.
        """
        fields = {field.attname: getattr(memory, field.attname) for field in Memory._meta.concrete_fields}
        copy = Memory(**{**fields, **values, "id": new_id()})
        self.insert(Draft(copy, entities=graph_index.list_given_names(memory)))
        pending = {one.pk for one in self._sources}
        for source in sources:
            source.memory_id = copy.pk
            if source.pk not in pending:
                self._moved[source.pk] = source
        self.run_afterwards(lambda: _copy_embeddings(memory.pk, copy.pk, owner=self.owner))
        return copy

    def note_deleted(self, memory_id: UUID) -> None:
        """Record the event of a row that was deleted. The owner's index starts a new epoch."""
        self.ledger.index_epoch += 1
        self._events.append(self._event(EventType.DELETED, memory_id, before=None, reason=""))

    def list_new_links(self, kind: str, reasons: Collection[str] = ()) -> list[tuple[UUID, UUID]]:
        """Return the links of this kind, and of one of the reasons if given, that this batch makes."""
        return [
            (link.memory_id, link.other_id)
            for link in self._links
            if link.kind == kind and (not reasons or link.reason in reasons)
        ]

    def find_superseded(self, memory_ids: Iterable[UUID], reason: str) -> set[UUID]:
        """Return those of the memories that another memory supersedes for this reason."""
        ids = set(memory_ids)
        if not ids:
            return ids
        links = MemoryLink.objects.filter(
            owner_id=self.owner, other_id__in=ids, kind=LinkKind.SUPERSEDES, reason=reason
        )
        new = self.list_new_links(LinkKind.SUPERSEDES, {reason})
        return {*links.values_list("other_id", flat=True), *(other for _, other in new if other in ids)}

    def load_current(self, memory_ids: Collection[UUID]) -> dict[UUID, Memory]:
        """Return the owner's rows of these ids, with the changes of this batch so far."""
        ours = {draft.memory.pk: draft.memory for draft in self._inserted} | self._changed
        missing = [memory_id for memory_id in memory_ids if memory_id not in ours]
        stored = Memory.objects.filter(owner_id=self.owner).in_bulk(missing) if missing else {}
        return stored | {memory_id: ours[memory_id] for memory_id in memory_ids if memory_id in ours}

    def run_afterwards(self, step: Callable[[], None]) -> None:
        """Run a step in the same transaction when all rows are written, to derive something from them."""
        self._afterwards.append(step)

    def flush(self) -> None:
        """Write all recorded changes. Called once, at the end of the transaction."""
        fields = [*self._changed_fields, "updated_at", "index_version"]
        for is_active in (False, True):  # rows that give up a fingerprint come before rows that take it
            rows = [memory for memory in self._changed.values() if memory.is_active is is_active]
            _update_rows(rows, fields, owner=self.owner)
        self._insert_rows()
        MemoryLink.objects.bulk_create(self._links, ignore_conflicts=True)
        MemorySource.objects.bulk_create(self._sources, ignore_conflicts=True)
        MemorySource.objects.bulk_update(list(self._moved.values()), ["memory"])
        for number, event in enumerate(self._events, start=self.ledger.event_sequence + 1):
            event["sequence"] = number
        copy_rows(Event, self._events)
        if self._events:
            Ledger.objects.filter(owner_id=self.owner).update(
                index_version=self.index_version,
                index_epoch=self.ledger.index_epoch,
                event_sequence=self.ledger.event_sequence + len(self._events),
            )
        for step in self._afterwards:
            step()
        if self._inserted and get_sentence_embedder() is not None:
            enqueue(
                FILL, self.owner, owner=self.owner, unique_key=f"sentences:{self.owner}", delay=FILL_AFTER
            )
        self._log_events()

    def _log_events(self) -> None:
        """Log the events for readers of the owner's event log; ids of memories and names of acts alone."""
        for (kind, reason), events in groupby(self._events, key=itemgetter("type", "reason")):
            log_events(
                NewEvents(
                    self.owner,
                    LoggedType(kind),
                    [event["memory_id"] for event in events],
                    action=reason,
                    batch_id=self.batch_id,
                    actor=self.actor,
                )
            )

    def _insert_rows(self) -> None:
        copy_rows(Memory, [vars(draft.memory) for draft in self._inserted])
        embedded = [draft for draft in self._inserted if draft.vector is not None]
        copy_rows(MemoryEmbedding, [_embedding(draft) for draft in embedded])
        graph_index.index_memories(
            [(draft.memory, draft.entities) for draft in self._inserted], owner=self.owner
        )

    def _note(
        self, event: EventType, memory: Memory, *, before: dict[str, Any] | None, reason: str = ""
    ) -> None:
        self._events.append(self._event(event, memory.id, before=before, reason=reason))

    def _event(
        self, event: EventType, memory_id: UUID, *, before: dict[str, Any] | None, reason: str
    ) -> dict[str, Any]:
        return {
            "id": new_id(),
            "owner_id": self.owner,
            "type": event,
            "memory_id": memory_id,
            "batch_id": self.batch_id,
            "actor": self.actor,
            "reason": reason or self.reason,
            "before": before,
            "created_at": self.now,
        }


@contextmanager
def open_batch(
    *, owner: UUID, actor: str, reason: str = "", batch_id: UUID | None = None
) -> Iterator[WriteBatch]:
    """Open a transaction that locks the owner's ledger. Write on leaving, and roll back on an error.

    `batch_id` adds to a batch that an earlier transaction began, so that both are undone together.
    """
    with transaction.atomic():
        ledger = lock_ledger(owner=owner)
        batch = WriteBatch(
            owner=owner,
            actor=actor,
            reason=reason,
            batch_id=batch_id or new_id(),
            now=timezone.now(),
            ledger=ledger,
        )
        yield batch
        batch.flush()


def _copy_embeddings(memory_id: UUID, copy_id: UUID, *, owner: UUID) -> None:
    rows = MemoryEmbedding.objects.filter(owner_id=owner, memory_id=memory_id)
    MemoryEmbedding.objects.bulk_create(
        MemoryEmbedding(
            owner_id=owner, memory_id=copy_id, model=row.model, vector=row.vector, tokens=row.tokens
        )
        for row in rows
    )


_UPDATE: Final = """
UPDATE memories_memory AS m SET {sets}
FROM json_populate_recordset(NULL::memories_memory, %s) AS r WHERE m.owner_id = %s AND m.id = r.id
"""
_UPDATED_AT_ONCE: Final = 1000


def _update_rows(rows: Sequence[Memory], fields: Collection[str], *, owner: UUID) -> None:
    """Write these fields of the rows.

    The values are one JSON document: Django's `bulk_update` composes an expression for each value, and took
    ten times as long.
    """
    columns = {field.name: field.attname for field in Memory._meta.concrete_fields}
    names = sorted({columns[name] for name in fields})
    sets = ", ".join(f"{name} = r.{name}" for name in map(connection.ops.quote_name, names))
    for start in range(0, len(rows), _UPDATED_AT_ONCE):
        some = rows[start : start + _UPDATED_AT_ONCE]
        values = [
            {"id": str(row.pk)} | {name: _as_json(getattr(row, name)) for name in names} for row in some
        ]
        with connection.cursor() as cursor:
            cursor.execute(_UPDATE.format(sets=sets), [json.dumps(values), owner])


def _as_json(value: Any) -> Any:  # noqa: ANN401 - a field's value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (bytes, memoryview)):
        return f"\\x{value.hex()}"
    return value


def make_embedding_row(draft: Draft) -> MemoryEmbedding:
    """Return the embedding row of a draft."""
    return MemoryEmbedding(**_embedding(draft))


def _embedding(draft: Draft) -> dict[str, Any]:
    return {
        "id": new_id(),
        "owner_id": draft.memory.owner_id,
        "memory_id": draft.memory.id,
        "model": draft.model,
        "vector": draft.vector,
        "tokens": draft.tokens,
    }


def add_embeddings(drafts: Sequence[Draft], *, owner: UUID) -> None:
    """Add embeddings of rows that were stored without. Searches see them at once."""
    with transaction.atomic():
        ledger = lock_ledger(owner=owner)
        version = ledger.index_version + 1
        rows = Memory.objects.filter(owner_id=owner, id__in=[draft.memory.pk for draft in drafts])
        kept = set(rows.values_list("id", flat=True))  # some may have been erased meanwhile
        MemoryEmbedding.objects.bulk_create(
            [make_embedding_row(draft) for draft in drafts if draft.memory.pk in kept], ignore_conflicts=True
        )
        rows.update(index_version=version)
        Ledger.objects.filter(owner_id=owner).update(index_version=version)
