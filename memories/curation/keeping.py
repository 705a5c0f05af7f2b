"""What is kept and what is let go: confirm, forget, restore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memories.curation.changed import Changed, standing_once
from memories.curation.reopening import reopen
from memories.curation.rewording import settle
from memories.models import EventType, Memory, Status
from memories.storage import get_memories, writing
from memories.writing import conflicts
from memsite.errors import Conflict


def confirm(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Make pending memories active; of two values for one thing the newer ends the older, as in writing.

    Raises NotFound, Conflict for one that no longer stands.
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
    """Let memories go: never recalled, greyed in lists, restorable. Forgetting twice changes nothing.

    Whoever was disputed by them alone is disputed no more. Raises NotFound.
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
    """Bring forgotten memories back as they were; what the world has left behind meanwhile comes back ended.

    What was in dispute is so again, unless a person has decided it or the other side is gone. Raises
    NotFound, Conflict when their words stand elsewhere.
    """
    with standing_once(), writing(owner=owner, actor=actor, reason="restored") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            if memory.forgotten_at is not None:
                batch.change(
                    memory, EventType.RESTORED, forgotten_at=None, forgotten_by="", **_unforgotten(memory)
                )
                settle(memory, batch, ruled=reopen(memory, batch))
        memories = _as_left(memories, batch.current([memory.pk for memory in memories]))
    return Changed(tuple(memories), batch.batch_id)


def _unforgotten(memory: Memory) -> dict[str, Any]:
    ended = memory.retired_at is not None or memory.ended_at is not None
    return {"status": Status.DEPRECATED if ended else Status.ACTIVE}


def _as_left(memories: Sequence[Memory], rows: dict[UUID, Memory]) -> list[Memory]:
    return [rows[memory.pk] for memory in memories]
