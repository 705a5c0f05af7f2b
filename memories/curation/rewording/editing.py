"""Change fields of a memory in place."""

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
    """Change fields of a memory in place.

    A memory whose triple or time changes gets a new fingerprint and index entries, and is compared again with
    the other memories of its slot.

    Args:
        memory_id: The memory.
        changes: New values by field; see `EDITABLE`.
        owner: The owner.
        actor: Who edits.
        mode: `append` adds to lists and metadata instead of replacing them.

    Raises:
        NotFound: If the owner has no such memory.
        InvalidInput: If a field cannot be edited or the kind does not fit.
        Conflict: If another active memory says the same already.
    """
    with standing_once(), writing(owner=owner, actor=actor, reason="edited") as batch:
        memory = get_memory(memory_id, owner=owner)
        change(memory, changes, batch, mode=mode)
    return Changed((memory,), batch.batch_id)


def pin(memory_ids: Sequence[UUID], *, owner: UUID, actor: str, pinned: bool = True) -> Changed:
    """Pin or unpin memories.

    Raises:
        NotFound: If any is missing.
    """
    with writing(owner=owner, actor=actor, reason="pinned") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            batch.change(memory, EventType.UPDATED, pinned=pinned)
    return Changed(tuple(memories), batch.batch_id)


def change(memory: Memory, changes: Mapping[str, Any], batch: Writing, *, mode: Mode = "replace") -> None:
    """Change the fields of one row within a batch, and everything derived from them."""
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
