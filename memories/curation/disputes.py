"""Resolve a dispute by a person's decision."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memories.curation.change_result import ChangeResult
from memories.models import EventType, LinkKind, Memory
from memories.storage import WriteBatch, get_memories, list_disputes_of, open_batch
from memories.values import Status
from memories.writing import conflicts
from memsite.errors import Conflict

RESOLVED = "resolved"
#: What happens to the other side: it was never true, it was true until the kept one began, or both are true.
How = Literal["wrong", "past", "both"]


def resolve_dispute(
    keep: UUID,
    over: Sequence[UUID] = (),
    *,
    owner: UUID,
    actor: str,
    how: How = "wrong",
    since: datetime | None = None,
) -> ChangeResult:
    """Keep one side of a dispute.

    Args:
        keep: The memory to keep.
        over: The others; if empty, all that it is in dispute with.
        owner: The owner.
        actor: Who decides.
        how: `wrong` retires the others (they were never true), `past` ends them (they were true until now or
            until the kept one began), `both` keeps all active.
        since: With `past`, when the kept one began, if that is known better now.

    Returns:
        The change; its memories are the kept one, then the others.

    Raises:
        NotFound: If any is missing.
        Conflict: If they are not in dispute.
    """
    with open_batch(owner=owner, actor=actor, reason=RESOLVED) as batch:
        wanted = list(over) or _opponents(keep, owner=owner)
        kept, *others = get_memories([keep, *wanted], owner=owner)
        _check_disputed(kept, others, owner=owner)
        if since is not None and how == "past":
            batch.change(kept, EventType.UPDATED, valid_from=_begin_by(since, kept))
        decided = {} if _has_other_opponents(kept, others, batch) else {"status": Status.ACTIVE}
        batch.change(kept, EventType.UPDATED, restated_at=batch.now, **decided)
        for other in others:
            apply_decision(other, kept, how, batch)
        conflicts.settle_disputes(others, batch)
    return ChangeResult((kept, *others), batch.batch_id)


def apply_decision(other: Memory, kept: Memory, how: How, batch: WriteBatch) -> None:
    """Write a person's decision between two memories on the one that is not kept.

    A memory that was true in the past ends when the kept one began, but not before its own beginning.
    """
    if how == "both":
        batch.change(other, EventType.UPDATED, status=Status.ACTIVE, restated_at=batch.now)
        return
    if how == "past":
        until = max(conflicts.get_begin(other), min(batch.now, conflicts.get_begin(kept)))
        values: dict[str, Any] = {"valid_until": until, "ended_at": batch.now}
    else:
        values = {"retired_at": batch.now}
    batch.change(other, EventType.UPDATED, status=Status.DEPRECATED, **values)
    batch.link(kept, other.pk, LinkKind.SUPERSEDES, reason=RESOLVED if how == "wrong" else conflicts.ENDED)


def _begin_by(since: datetime, kept: Memory) -> datetime:
    """Return the moment, but not after the memory's own end."""
    return since if kept.valid_until is None else min(since, kept.valid_until)


def _opponents(memory_id: UUID, *, owner: UUID) -> list[UUID]:
    """Return the memories that are in dispute with this one now."""
    ends = {end for pair in list_disputes_of([memory_id], owner=owner) for end in pair} - {memory_id}
    rows = Memory.objects.filter(owner_id=owner, status=Status.DISPUTED).in_bulk(list(ends))
    return sorted(rows)


def _has_other_opponents(kept: Memory, decided: Sequence[Memory], batch: WriteBatch) -> bool:
    """Return whether the kept memory is in dispute with more than those that are decided."""
    return bool(set(_opponents(kept.pk, owner=batch.owner)) - {one.pk for one in decided})


def _check_disputed(kept: Memory, others: Sequence[Memory], *, owner: UUID) -> None:
    pairs = list_disputes_of([kept.pk], owner=owner)
    for other in others:
        in_dispute = (kept.pk, other.pk) in pairs or (other.pk, kept.pk) in pairs
        if not in_dispute or not kept.status == other.status == Status.DISPUTED:
            raise Conflict("These memories are not in dispute.", {"ids": [str(kept.pk), str(other.pk)]})
    if not others:
        raise Conflict("This memory is not in dispute.", {"ids": [str(kept.pk)]})
