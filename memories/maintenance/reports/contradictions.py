"""Settle free texts that seem contradictory or equal: a person says that one side is right, or both are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memories.curation import RESOLVED, ChangeResult, How, apply_decision
from memories.maintenance.reports.findings import mark_distinct
from memories.models import EventType, Memory
from memories.storage import get_memories, open_batch
from memories.values import Status
from memories.writing import conflicts
from memsite.errors import Conflict

MARKED_DISTINCT: Final = "kept apart"
_RECALLED: Final = frozenset({Status.ACTIVE, Status.DISPUTED})


def settle_contradiction(
    keep: UUID, over: Sequence[UUID], how: How, *, owner: UUID, actor: str
) -> ChangeResult:
    """Keep one side of a contradiction that is not a dispute; the others are retired or ended.

    `how` is as in `curation.resolve_dispute`.

    Raises:
        NotFound: If any is missing.
        Conflict: If any is no longer active or disputed.
    """
    with open_batch(owner=owner, actor=actor, reason=RESOLVED) as batch:
        kept, *others = get_memories([keep, *over], owner=owner)
        _check_recalled([kept, *others])
        batch.change(kept, EventType.UPDATED, restated_at=batch.now)
        for other in others:
            apply_decision(other, kept, how, batch)
        conflicts.settle_disputes(others, batch)
    return ChangeResult((kept, *others), batch.batch_id)


def mark_as_distinct(
    memory_ids: Sequence[UUID], *, owner: UUID, actor: str, true_now: bool = False
) -> ChangeResult:
    """Record that these are different memories: no report lists them together again.

    It is stored in the metadata of each, so that it is shown, exported and undone like any other change.

    Args:
        memory_ids: The memories.
        owner: The owner.
        actor: Who decides.
        true_now: Whether a person said that all of them are true now, as in `curation.confirm_memories`.
    """
    with open_batch(owner=owner, actor=actor, reason=MARKED_DISTINCT) as batch:
        memories = get_memories(memory_ids, owner=owner)
        _check_recalled(memories)
        for memory in memories:
            others = [one.pk for one in memories if one is not memory]
            metadata = memory.metadata | mark_distinct(memory, others)
            restated_at = batch.now if true_now else memory.restated_at
            batch.change(memory, EventType.UPDATED, metadata=metadata, restated_at=restated_at)
    return ChangeResult(tuple(memories), batch.batch_id)


def _check_recalled(memories: Sequence[Memory]) -> None:
    gone = [str(memory.pk) for memory in memories if memory.status not in _RECALLED]
    if gone:
        raise Conflict("This has been settled already.", {"ids": gone})
