"""Reopen disputes that no person has decided, when both sides are believed again."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from memories.models import Event, EventType, Memory, Status
from memories.storage import Writing, disputes_of, events_of_memories
from memories.writing import conflicts

REOPENED = "dispute open again"


def reopen(memory: Memory, batch: Writing) -> frozenset[UUID]:
    """Reopen the undecided disputes of a memory that became active again.

    Returns:
        All memories that it was ever in dispute with and that are believed now. Nothing is left to decide
            between them: they are in dispute again, or a person has decided.
    """
    if not memory.stands:
        return frozenset()
    pairs = disputes_of([memory.pk], owner=batch.owner)
    rows = batch.current({end for pair in pairs for end in pair} - {memory.pk})
    recalled = {pk: row for pk, row in rows.items() if row.status in {Status.ACTIVE, Status.DISPUTED}}
    undecided = _undecided([memory.pk, *recalled], owner=batch.owner)
    still = set(recalled) if memory.pk in undecided else undecided & recalled.keys()
    for row in [memory, *(recalled[pk] for pk in sorted(still))] if still else []:
        batch.change(row, EventType.DISPUTED, reason=REOPENED, status=Status.DISPUTED)
    return frozenset(recalled)


def _undecided(memory_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return those whose last dispute ended because one of its sides was forgotten, not by a decision."""
    events = events_of_memories(list(memory_ids), owner=owner).filter(before__status=Status.DISPUTED)
    last = {event.memory_id: event for event in events if event.memory_id is not None}
    return {memory_id for memory_id, event in last.items() if _was_let_go(event)}


def _was_let_go(event: Event) -> bool:
    return event.reason == conflicts.SETTLED or "forgotten_at" in (event.before or {})
