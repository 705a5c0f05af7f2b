"""Return the history of a memory, including all of its wordings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.curation.erasing import list_wordings
from memories.models import Memory
from memories.storage import get_memory, list_events_of_memories


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
