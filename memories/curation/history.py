"""What happened to a memory, in all its wordings, as a person may read it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.curation.erasing import wordings
from memories.models import Memory
from memories.storage import events_of_memories, get_memory


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One event. content: the wording it happened to; before: fields that changed, as they stood."""

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


def history(memory_id: str | UUID, *, owner: UUID) -> list[HistoryEntry]:
    """Every event of the memory and of those it superseded or was superseded by, oldest first."""
    chain = wordings(get_memory(memory_id, owner=owner).pk, owner=owner)
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
        for event in events_of_memories(chain, owner=owner)
        if (row := rows.get(event.memory_id)) is not None
    ]
