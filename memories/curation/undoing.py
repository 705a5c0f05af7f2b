"""Taking a whole batch back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from django.db.models import Field

from memories.curation.changed import Changed, standing_once
from memories.curation.identity import reidentify
from memories.events import events_of_batch
from memories.models import Event, Memory
from memories.models.event import EventType
from memories.models.memory import Status
from memories.store import Writing, writing
from memsite.errors import Conflict, NotFound


def undo(batch_id: UUID, *, owner: UUID, actor: str) -> Changed:
    """Take a whole batch back, as a new batch that can be undone in turn.

    What the batch created is retired (it was believed meanwhile); what it changed becomes as it was.
    Raises NotFound for an unknown batch, Conflict when a later batch changed the same rows, or when
    something was erased.
    """
    with standing_once(), writing(owner=owner, actor=actor, reason="undone") as batch:
        events = list(events_of_batch(batch_id, owner=owner))
        if not events:
            raise NotFound("There is no such batch.")
        rows = Memory.objects.filter(owner_id=owner).in_bulk([event.memory_id for event in events])
        _check_untouched(events, rows, owner=owner)
        for event in events:
            _undo_event(event, rows[event.memory_id], batch)
        _identify_anew(events, rows, batch)
    return Changed(tuple(rows.values()), batch.batch_id)


def _identify_anew(events: Sequence[Event], rows: Mapping[UUID, Memory], batch: Writing) -> None:
    """Columns that no event holds, because they follow from others."""
    fields: dict[UUID, set[str]] = {}
    for event in events:
        if event.memory_id is not None:
            fields.setdefault(event.memory_id, set()).update(event.before or ())
    for memory_id, changed in fields.items():
        reidentify([rows[memory_id]], changed, batch)


def _check_untouched(events: Sequence[Event], rows: Mapping[UUID, Memory], *, owner: UUID) -> None:
    gone = [str(event.memory_id) for event in events if event.memory_id not in rows]
    if gone:
        raise Conflict("Something of this batch was erased for good; it cannot be undone.", {"ids": gone})
    later = Event.objects.filter(
        owner_id=owner, memory_id__in=list(rows), sequence__gt=events[0].sequence
    ).exclude(batch_id=events[0].batch_id)
    if later.exists():
        touched = sorted({str(memory_id) for memory_id in later.values_list("memory_id", flat=True)})
        raise Conflict("A later change touched the same memories; undo that one first.", {"ids": touched})


def _undo_event(event: Event, memory: Memory, batch: Writing) -> None:
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
