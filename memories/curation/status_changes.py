"""Confirm, forget and restore memories."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from memories.curation.change_result import ChangeResult, reject_duplicate_active
from memories.curation.rewording import apply_conflicts
from memories.models import Event, EventType, Memory
from memories.storage import WriteBatch, get_memories, list_disputes_of, list_events_of_memories, open_batch
from memories.values import Status
from memories.writing import conflicts
from memsite.errors import Conflict

#: Reason of a dispute that is open again.
REOPENED: Final = "dispute open again"


def confirm_memories(
    memory_ids: Sequence[UUID], *, owner: UUID, actor: str, confidence: float | None = None
) -> ChangeResult:
    """Say that memories are true now: in a search, nothing that was said before makes them outdated.

    Pending ones become active. As in writing, of two values for one thing the newer ends the older. Disputed
    ones stay so.

    Args:
        memory_ids: The memories.
        owner: The owner.
        actor: Who confirms.
        confidence: Their confidence from now on, in [0, 1]; None leaves it.

    Raises:
        NotFound: If any is missing.
        Conflict: If any is no longer active.
    """
    with open_batch(owner=owner, actor=actor, reason="confirmed") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            if not memory.is_active:
                message = "A memory that is no longer active cannot be confirmed."
                raise Conflict(message, {"id": str(memory.pk)})
        for memory in memories:
            values: dict[str, Any] = {} if confidence is None else {"confidence": confidence}
            if memory.status == Status.ACTIVE:
                values["restated_at"] = batch.now
            batch.change(memory, EventType.UPDATED, **values)
        activate_rows(memories, batch)
        memories = _reload_rows(memories, batch.load_current([memory.pk for memory in memories]))
    return ChangeResult(tuple(memories), batch.batch_id)


def forget_memories(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> ChangeResult:
    """Forget memories: they are never recalled, are greyed in lists, and can be restored.

    Forgetting twice changes nothing. Memories that were disputed only by these are no longer disputed.

    Raises:
        NotFound: If any is missing.
    """
    with open_batch(owner=owner, actor=actor, reason="forgotten") as batch:
        memories = get_memories(memory_ids, owner=owner)
        forget_rows(memories, batch)
    return ChangeResult(tuple(memories), batch.batch_id)


def restore_memories(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> ChangeResult:
    """Restore forgotten memories as they were. One that the world has changed since is restored as ended.

    A dispute is open again, unless a person decided it or the other side is not believed.

    Raises:
        NotFound: If any is missing.
        Conflict: If another active memory says the same.
    """
    with reject_duplicate_active(), open_batch(owner=owner, actor=actor, reason="restored") as batch:
        memories = get_memories(memory_ids, owner=owner)
        restore_rows(memories, batch)
        memories = _reload_rows(memories, batch.load_current([memory.pk for memory in memories]))
    return ChangeResult(tuple(memories), batch.batch_id)


def activate_rows(memories: Iterable[Memory], batch: WriteBatch) -> None:
    """Activate the pending ones of these memories, within a batch."""
    for memory in memories:
        if memory.status == Status.PENDING:
            batch.change(memory, EventType.UPDATED, status=Status.ACTIVE, restated_at=batch.now)
            apply_conflicts(memory, batch)


def forget_rows(memories: Sequence[Memory], batch: WriteBatch) -> None:
    """Forget those that are not forgotten yet, within a batch."""
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
    conflicts.settle_disputes(disputed, batch)


def restore_rows(memories: Sequence[Memory], batch: WriteBatch) -> None:
    """Restore those that are forgotten, within a batch."""
    waited = _waited(memories, owner=batch.owner)
    for memory in memories:
        if memory.forgotten_at is not None:
            batch.change(memory, EventType.RESTORED, **_restore_row(memory, waited))
            apply_conflicts(memory, batch, ruled=_reopen(memory, batch))


def _restore_row(memory: Memory, waited: Collection[UUID]) -> dict[str, Any]:
    ended = memory.retired_at is not None or memory.ended_at is not None
    waiting = Status.PENDING if memory.pk in waited else Status.ACTIVE
    return {"forgotten_at": None, "forgotten_by": "", "status": Status.DEPRECATED if ended else waiting}


def _waited(memories: Sequence[Memory], *, owner: UUID) -> set[UUID]:
    """Return those that were pending when they were forgotten."""
    events = list_events_of_memories([memory.pk for memory in memories], owner=owner)
    last = {event.memory_id: event.before for event in events.filter(type=EventType.FORGOTTEN)}
    return {key for key, before in last.items() if key and before and before.get("status") == Status.PENDING}


def _reopen(memory: Memory, batch: WriteBatch) -> frozenset[UUID]:
    """Reopen the undecided disputes of a memory that became active again.

    Returns:
        All memories that it was ever in dispute with and that are believed now. Nothing is left to decide
            between them: they are in dispute again, or a person has decided.
    """
    if not memory.is_active:
        return frozenset()
    pairs = list_disputes_of([memory.pk], owner=batch.owner)
    rows = batch.load_current({end for pair in pairs for end in pair} - {memory.pk})
    recalled = {pk: row for pk, row in rows.items() if row.status in {Status.ACTIVE, Status.DISPUTED}}
    undecided = _undecided([memory.pk, *recalled], owner=batch.owner)
    still = set(recalled) if memory.pk in undecided else undecided & recalled.keys()
    for row in [memory, *(recalled[pk] for pk in sorted(still))] if still else []:
        batch.change(row, EventType.DISPUTED, reason=REOPENED, status=Status.DISPUTED)
    return frozenset(recalled)


def _undecided(memory_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return those whose last dispute ended because one of its sides was forgotten, not by a decision."""
    events = list_events_of_memories(list(memory_ids), owner=owner).filter(before__status=Status.DISPUTED)
    last = {event.memory_id: event for event in events if event.memory_id is not None}
    return {memory_id for memory_id, event in last.items() if _was_let_go(event)}


def _was_let_go(event: Event) -> bool:
    return event.reason == conflicts.SETTLED or "forgotten_at" in (event.before or {})


def _reload_rows(memories: Sequence[Memory], rows: dict[UUID, Memory]) -> list[Memory]:
    return [rows[memory.pk] for memory in memories]
