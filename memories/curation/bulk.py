"""Change many memories at once: confirm, forget, restore, pin, tag, change the kind.

The memories are changed in transactions of at most 500, all of one batch: the owner's other writes wait for
one of them at most, and the batch is still undone in one step. If the process ends in between, what was
changed by then stays, and can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from memories.curation.change_result import reject_duplicate_active
from memories.curation.rewording import change_row, change_tags
from memories.curation.status_changes import activate_rows, forget_rows, restore_rows
from memories.models import EventType, Memory
from memories.storage import WriteBatch, active_by_fingerprint, get_memories, list_memories, open_batch
from memsite.errors import InvalidInput, NotFound
from memsite.values import new_id

#: The most memories that one transaction changes.
AT_ONCE: Final = 500
Step = Callable[[list[Memory], WriteBatch], None]


@dataclass(frozen=True, slots=True)
class BulkResult:
    """The result of a change of many memories.

    Attributes:
        count: How many changed.
        left_out: How many stay as they are, because the change does not apply to them or they are so already.
        batch_id: The id by which the change can be undone; None if nothing changed.
    """

    count: int
    left_out: int
    batch_id: UUID | None


def keep_many(
    memory_ids: Sequence[UUID], *, owner: UUID, actor: str, batch_id: UUID | None = None
) -> BulkResult:
    """Confirm the pending ones, and restore the forgotten ones that no active memory repeats."""
    return _change_many(memory_ids, _keep, owner=owner, actor=actor, reason="confirmed", batch_id=batch_id)


def restore_many(
    memory_ids: Sequence[UUID], *, owner: UUID, actor: str, batch_id: UUID | None = None
) -> BulkResult:
    """Restore the forgotten ones that no active memory repeats."""
    return _change_many(memory_ids, _restore, owner=owner, actor=actor, reason="restored", batch_id=batch_id)


def forget_many(
    memory_ids: Sequence[UUID], *, owner: UUID, actor: str, batch_id: UUID | None = None
) -> BulkResult:
    """Forget memories, as `forget_memories` does."""
    return _change_many(
        memory_ids, forget_rows, owner=owner, actor=actor, reason="forgotten", batch_id=batch_id
    )


def pin_many(
    memory_ids: Sequence[UUID], *, owner: UUID, actor: str, pinned: bool, batch_id: UUID | None = None
) -> BulkResult:
    """Pin or unpin memories."""
    step = partial(_pin, pinned=pinned)
    return _change_many(memory_ids, step, owner=owner, actor=actor, reason="pinned", batch_id=batch_id)


def change_kind_of_many(
    memory_ids: Sequence[UUID], kind: str, *, owner: UUID, actor: str, batch_id: UUID | None = None
) -> BulkResult:
    """Change the kind of memories, but for relations, entities and those whose layer has no such kind."""
    step = partial(_change_kind, kind=kind)
    return _change_many(memory_ids, step, owner=owner, actor=actor, reason="edited", batch_id=batch_id)


def tag_many(
    memory_ids: Sequence[UUID],
    *,
    add: Sequence[str] = (),
    remove: Sequence[str] = (),
    owner: UUID,
    actor: str,
) -> BulkResult:
    """Add tags to memories, and remove tags from them."""
    step = partial(change_tags, add=add, remove=remove)
    return _change_many(memory_ids, step, owner=owner, actor=actor, reason="edited")


def _change_many(
    memory_ids: Sequence[UUID],
    step: Step,
    *,
    owner: UUID,
    actor: str,
    reason: str,
    batch_id: UUID | None = None,
) -> BulkResult:
    """Apply a step to all of the memories.

    Args:
        batch_id: The id of the batch; by default a new one. An act of staff on several owners' memories has
            one id, under which each owner has a batch.

    Raises:
        NotFound: If any is missing; then nothing is changed.
    """
    ids = list(dict.fromkeys(memory_ids))
    if list_memories(owner=owner).filter(id__in=ids).count() != len(ids):
        raise NotFound("There is no such memory.")
    batch_id, changed = batch_id or new_id(), 0
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        with (
            reject_duplicate_active(),
            open_batch(owner=owner, actor=actor, reason=reason, batch_id=batch_id) as batch,
        ):
            memories = get_memories(some, owner=owner)
            step(memories, batch)
            changed += sum(memory.updated_at == batch.now for memory in memories)
    return BulkResult(changed, len(ids) - changed, batch_id if changed else None)


def _keep(memories: list[Memory], batch: WriteBatch) -> None:
    activate_rows(memories, batch)
    _restore(memories, batch)


def _restore(memories: list[Memory], batch: WriteBatch) -> None:
    forgotten = [memory for memory in memories if memory.forgotten_at is not None]
    keys = [bytes(memory.fingerprint) for memory in forgotten]
    taken = set(active_by_fingerprint(keys, owner=batch.owner)) if keys else set()
    free = {key: memory for key, memory in zip(keys, forgotten, strict=True) if key not in taken}
    restore_rows(list(free.values()), batch)


def _pin(memories: list[Memory], batch: WriteBatch, *, pinned: bool) -> None:
    for memory in memories:
        batch.change(memory, EventType.UPDATED, pinned=pinned)


def _change_kind(memories: list[Memory], batch: WriteBatch, *, kind: str) -> None:
    for memory in memories:
        try:
            change_row(memory, {"kind": kind}, batch)
        except InvalidInput:
            continue
