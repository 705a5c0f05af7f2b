"""Change fields of a memory in place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from memories.curation.change_result import ChangeResult, reject_duplicate_active
from memories.curation.rewording.fields import Mode, compute_changes
from memories.curation.rewording.identity import apply_conflicts, get_next_turn, reidentify
from memories.gate import redact_json
from memories.models import EventType, Memory
from memories.storage import WriteBatch, get_memory, open_batch
from memories.values import Status
from memories.writing import conflicts, drafting

_TRIPLE = frozenset({"subject", "predicate", "object", "single_valued"})


def edit_memory(
    memory_id: str | UUID, changes: Mapping[str, Any], *, owner: UUID, actor: str, mode: Mode = "replace"
) -> ChangeResult:
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
    with reject_duplicate_active(), open_batch(owner=owner, actor=actor, reason="edited") as batch:
        memory = get_memory(memory_id, owner=owner)
        change_row(memory, changes, batch, mode=mode)
    return ChangeResult((memory,), batch.batch_id)


def change_tags(
    memories: Iterable[Memory], batch: WriteBatch, *, add: Sequence[str] = (), remove: Collection[str] = ()
) -> None:
    """Add tags, after the gate, to rows and remove tags from them, within a batch."""
    added = [drafting.fit_to_column("tags", text) for text in cast("list[str]", redact_json(list(add)))]
    for memory in memories:
        kept = [tag for tag in memory.tags if tag not in remove]
        batch.change(memory, EventType.UPDATED, tags=list(dict.fromkeys([*kept, *added])))


def change_row(
    memory: Memory, changes: Mapping[str, Any], batch: WriteBatch, *, mode: Mode = "replace"
) -> None:
    """Change the fields of one row within a batch, and everything derived from them."""
    values = compute_changes(memory, changes, mode, batch.now)
    values |= get_next_turn(memory, values, owner=batch.owner)
    moved = {name for name, value in values.items() if getattr(memory, name) != value}
    was_disputed = memory.status == Status.DISPUTED
    batch.change(memory, EventType.UPDATED, **values)
    reidentify([memory], moved, batch)
    if was_disputed and (not memory.is_active or _TRIPLE & moved):
        conflicts.settle_disputes([memory], batch)
    if _TRIPLE & moved and memory.status in {Status.ACTIVE, Status.DISPUTED}:
        apply_conflicts(memory, batch)
