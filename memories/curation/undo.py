"""Undo a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast
from uuid import UUID

from django.db.models import Field

from memories.curation.change_result import ChangeResult, reject_duplicate_active
from memories.curation.rewording import reidentify
from memories.models import Event, EventType, LinkKind, Memory, MemoryLink
from memories.storage import WriteBatch, list_events_of_batch, open_batch
from memories.values import Status
from memsite.errors import Conflict, NotFound

#: Links by which the state of one row depends on the other.
_JOINS: Final = (LinkKind.SUPERSEDES, LinkKind.DISPUTES)


def undo_batch(batch_id: UUID, *, owner: UUID, actor: str) -> ChangeResult:
    """Undo a whole batch, as a new batch that can be undone in turn.

    What the batch created is retired (it was believed meanwhile); what it changed gets its previous values. A
    row that a later batch changed, or that was erased, stays as it is, and so do the rows that the batch
    linked to it; they are returned as `left_out`.

    Raises:
        NotFound: If there is no such batch.
        Conflict: If nothing is left to undo.
    """
    with reject_duplicate_active(), open_batch(owner=owner, actor=actor, reason="undone") as batch:
        events = list(list_events_of_batch(batch_id, owner=owner))
        if not events:
            raise NotFound("There is no such batch.")
        touched = _touched(events, owner=owner)
        events = [event for event in events if event.memory_id not in touched]
        if not events:
            ids = {"ids": sorted(map(str, touched))}
            raise Conflict("A later change touched the same memories; undo that one first.", ids)
        rows = Memory.objects.filter(owner_id=owner).in_bulk([event.memory_id for event in events])
        for event in events:
            _undo_event(event, rows[event.memory_id], batch)
        _identify_anew(events, rows, batch)
    return ChangeResult(tuple(rows.values()), batch.batch_id, tuple(sorted(touched)))


def _identify_anew(events: Sequence[Event], rows: Mapping[UUID, Memory], batch: WriteBatch) -> None:
    """Derive the columns that no event records because they depend on others."""
    fields: dict[UUID, set[str]] = {}
    for event in events:
        if event.memory_id is not None:
            fields.setdefault(event.memory_id, set()).update(event.before or ())
    for memory_id, changed in fields.items():
        reidentify([rows[memory_id]], changed, batch)


def _touched(events: Sequence[Event], *, owner: UUID) -> set[UUID]:
    """Return rows of a batch that were changed later or erased, and all that the batch linked to them."""
    last = {event.memory_id: event.sequence for event in reversed(events) if event.memory_id is not None}
    ids = set(last)
    # Other writes may lie between the transactions of a batch: compare each row with its own last event.
    others = Event.objects.filter(owner_id=owner, memory_id__in=ids, sequence__gt=events[-1].sequence)
    others = others.exclude(batch_id=events[0].batch_id)
    changed = others.values_list("memory_id", "sequence")
    touched = {memory_id for memory_id, sequence in changed if memory_id and sequence > last[memory_id]}
    touched |= ids - set(Memory.objects.filter(owner_id=owner, id__in=ids).values_list("id", flat=True))
    if not touched:
        return touched
    links = MemoryLink.objects.filter(owner_id=owner, memory_id__in=ids, other_id__in=ids, kind__in=_JOINS)
    pairs = list(links.values_list("memory_id", "other_id"))
    while grown := {end for pair in pairs if touched.intersection(pair) for end in pair} - touched:
        touched |= grown
    return touched


def _undo_event(event: Event, memory: Memory, batch: WriteBatch) -> None:
    if event.before is None:
        values: dict[str, Any] = {"retired_at": memory.retired_at or batch.now}
        if memory.forgotten_at is None:
            values["status"] = Status.DEPRECATED
    else:
        values = {name: _field(name).to_python(value) for name, value in event.before.items()}
    back = event.type == EventType.FORGOTTEN
    batch.change(memory, EventType.RESTORED if back else EventType.UPDATED, **values)


def _field(name: str) -> Field[Any, Any]:
    return cast("Field[Any, Any]", Memory._meta.get_field(name))
