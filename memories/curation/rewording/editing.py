"""Fields changed in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from memories.curation.changed import Changed, standing_once
from memories.curation.rewording.fields import Mode, edited
from memories.curation.rewording.identity import next_turn, reidentify, settle
from memories.models import EventType, Memory, Status
from memories.storage import Writing, get_memories, get_memory, writing
from memories.writing import conflicts

_TRIPLE = frozenset({"subject", "predicate", "object", "single_valued"})


def edit(
    memory_id: str | UUID, changes: Mapping[str, Any], *, owner: UUID, actor: str, mode: Mode = "replace"
) -> Changed:
    """Change fields in place. mode `append` adds to lists and metadata instead of replacing them.

    A memory whose triple or time changes is identified and indexed anew, and held against what else is
    believed of the same. Raises NotFound, InvalidInput for a field that cannot be edited or a kind that
    does not fit, Conflict when another memory stands for the same already.
    """
    with standing_once(), writing(owner=owner, actor=actor, reason="edited") as batch:
        memory = get_memory(memory_id, owner=owner)
        change(memory, changes, batch, mode=mode)
    return Changed((memory,), batch.batch_id)


def pin(memory_ids: Sequence[UUID], *, owner: UUID, actor: str, pinned: bool = True) -> Changed:
    """Pin memories, or let them loose. Raises NotFound."""
    with writing(owner=owner, actor=actor, reason="pinned") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            batch.change(memory, EventType.UPDATED, pinned=pinned)
    return Changed(tuple(memories), batch.batch_id)


def change(memory: Memory, changes: Mapping[str, Any], batch: Writing, *, mode: Mode = "replace") -> None:
    """Within a batch: the fields of one row, and what follows from them."""
    values = edited(memory, changes, mode, batch.now)
    values |= next_turn(memory, values, owner=batch.owner)
    moved = {name for name, value in values.items() if getattr(memory, name) != value}
    was_disputed = memory.status == Status.DISPUTED
    batch.change(memory, EventType.UPDATED, **values)
    reidentify([memory], moved, batch)
    if was_disputed and (not memory.stands or _TRIPLE & moved):
        conflicts.lift([memory], batch)
    if _TRIPLE & moved and memory.status in {Status.ACTIVE, Status.DISPUTED}:
        settle(memory, batch)
