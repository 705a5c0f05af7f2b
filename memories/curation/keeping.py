"""Confirm, forget and restore memories."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from memories.curation.changed import Changed, standing_once
from memories.curation.reopening import reopen
from memories.curation.rewording import settle
from memories.models import EventType, Memory, Status
from memories.storage import events_of_memories, get_memories, writing
from memories.writing import conflicts
from memsite.errors import Conflict


def confirm(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Make pending memories active. As in writing, of two values for one thing the newer ends the older.

    Raises:
        NotFound: If any is missing.
        Conflict: If any is no longer active.
    """
    with writing(owner=owner, actor=actor, reason="confirmed") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            if not memory.stands:
                raise Conflict("A memory that no longer stands cannot be confirmed.", {"id": str(memory.pk)})
            if memory.status == Status.PENDING:
                batch.change(memory, EventType.UPDATED, status=Status.ACTIVE)
                settle(memory, batch)
        memories = _as_left(memories, batch.current([memory.pk for memory in memories]))
    return Changed(tuple(memories), batch.batch_id)


def forget(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Forget memories: they are never recalled, are greyed in lists, and can be restored.

    Forgetting twice changes nothing. Memories that were disputed only by these are no longer disputed.

    Raises:
        NotFound: If any is missing.
    """
    with writing(owner=owner, actor=actor, reason="forgotten") as batch:
        memories = get_memories(memory_ids, owner=owner)
        disputed = [memory for memory in memories if memory.status == Status.DISPUTED]
        for memory in memories:
            if memory.forgotten_at is None:
                batch.change(
                    memory,
                    EventType.FORGOTTEN,
                    status=Status.FORGOTTEN,
                    forgotten_at=batch.now,
                    forgotten_by="person",
                )
        conflicts.lift(disputed, batch)
    return Changed(tuple(memories), batch.batch_id)


def restore(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Restore forgotten memories as they were. One that the world has changed since is restored as ended.

    A dispute is open again, unless a person decided it or the other side is not believed.

    Raises:
        NotFound: If any is missing.
        Conflict: If another active memory says the same.
    """
    with standing_once(), writing(owner=owner, actor=actor, reason="restored") as batch:
        memories = get_memories(memory_ids, owner=owner)
        waited = _waited(memories, owner=owner)
        for memory in memories:
            if memory.forgotten_at is not None:
                batch.change(memory, EventType.RESTORED, **_unforgotten(memory, waited))
                settle(memory, batch, ruled=reopen(memory, batch))
        memories = _as_left(memories, batch.current([memory.pk for memory in memories]))
    return Changed(tuple(memories), batch.batch_id)


def _unforgotten(memory: Memory, waited: Collection[UUID]) -> dict[str, Any]:
    ended = memory.retired_at is not None or memory.ended_at is not None
    waiting = Status.PENDING if memory.pk in waited else Status.ACTIVE
    return {"forgotten_at": None, "forgotten_by": "", "status": Status.DEPRECATED if ended else waiting}


def _waited(memories: Sequence[Memory], *, owner: UUID) -> set[UUID]:
    """Return those that were pending when they were forgotten."""
    events = events_of_memories([memory.pk for memory in memories], owner=owner)
    last = {event.memory_id: event.before for event in events.filter(type=EventType.FORGOTTEN)}
    return {key for key, before in last.items() if key and before and before.get("status") == Status.PENDING}


def _as_left(memories: Sequence[Memory], rows: dict[UUID, Memory]) -> list[Memory]:
    return [rows[memory.pk] for memory in memories]
