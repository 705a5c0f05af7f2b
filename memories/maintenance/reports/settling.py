"""Settle free texts that seem contradictory or equal: a person says that one side is right, or both are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memories.curation import RESOLVED, Changed, How, decide
from memories.maintenance.reports.findings import apart_from
from memories.models import EventType, Memory, Status
from memories.storage import get_memories, writing
from memories.writing import conflicts
from memsite.errors import Conflict

KEPT_APART: Final = "kept apart"
_RECALLED: Final = frozenset({Status.ACTIVE, Status.DISPUTED})


def settle(keep: UUID, over: Sequence[UUID], how: How, *, owner: UUID, actor: str) -> Changed:
    """Keep one side of a contradiction that is not a dispute; the others are retired or ended.

    `how` is as in `curation.resolve`.

    Raises:
        NotFound: If any is missing.
        Conflict: If any is no longer active or disputed.
    """
    with writing(owner=owner, actor=actor, reason=RESOLVED) as batch:
        kept, *others = get_memories([keep, *over], owner=owner)
        _check_recalled([kept, *others])
        for other in others:
            decide(other, kept, how, batch)
        conflicts.lift(others, batch)
    return Changed((kept, *others), batch.batch_id)


def keep_apart(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Record that these are different memories and all true: no report lists them together again.

    It is stored in the metadata of each, so that it is shown, exported and undone like any other change.
    """
    with writing(owner=owner, actor=actor, reason=KEPT_APART) as batch:
        memories = get_memories(memory_ids, owner=owner)
        _check_recalled(memories)
        for memory in memories:
            others = [one.pk for one in memories if one is not memory]
            told = memory.metadata | apart_from(memory, others)
            batch.change(memory, EventType.UPDATED, metadata=told)
    return Changed(tuple(memories), batch.batch_id)


def _check_recalled(memories: Sequence[Memory]) -> None:
    gone = [str(memory.pk) for memory in memories if memory.status not in _RECALLED]
    if gone:
        raise Conflict("This has been settled already.", {"ids": gone})
