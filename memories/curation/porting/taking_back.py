"""Undo an import of memories: delete what it wrote, and reverse what it changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from memories import ports
from memories.curation.undo import undo_batch
from memories.models import Event, EventType, Memory, MemorySource, Mention
from memories.retrieval import index_cache
from memories.storage import graph_index, list_events_of_batch, list_memories, open_batch
from memsite.errors import Conflict, NotFound

_AT_ONCE: Final = 500  # memories that one transaction deletes


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The result: how many memories are gone, and how many stay because they were changed since."""

    removed: int
    left_out: int


def take_back_batch(batch_id: UUID, prefix: str, *, owner: UUID, actor: str) -> TakenBack:
    """Undo a batch, and delete what it had created, so that the same can be imported again.

    Memories that were changed since, with those that depend on them, stay as they are. Running it again
    after it was interrupted completes it.

    Args:
        batch_id: The batch of the import.
        prefix: What the references of the import's sources begin with; such sources are removed from memories
            that the import strengthened.
        owner: The owner.
        actor: Who takes it back, for the events.
    """
    events = list_events_of_batch(batch_id, owner=owner)
    created = _list_memories(events.filter(type=EventType.CREATED))
    changed = _list_memories(events.exclude(type=EventType.CREATED)) - created
    try:
        left_out = set(undo_batch(batch_id, owner=owner, actor=actor).left_out)
    except NotFound:
        return TakenBack(0, 0)
    except Conflict:
        left_out = _find_still_believed(created, owner=owner)
    if prefix:
        sources = MemorySource.objects.filter(owner_id=owner, memory_id__in=changed - left_out)
        sources.filter(reference__startswith=prefix).delete()
    gone = sorted(created - left_out)
    for start in range(0, len(gone), _AT_ONCE):
        _delete(gone[start : start + _AT_ONCE], owner=owner, actor=actor)
    return TakenBack(len(gone), len(left_out & created))


def _list_memories(events: QuerySet[Event]) -> set[UUID]:
    named = events.values_list("memory_id", flat=True)
    return {memory_id for memory_id in named if memory_id is not None}


def _find_still_believed(created: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return what an earlier run did not retire, because the person had changed it."""
    rows = list_memories(owner=owner).filter(id__in=created, retired_at=None)
    return set(rows.values_list("id", flat=True))


def _delete(memory_ids: list[UUID], *, owner: UUID, actor: str) -> None:
    with open_batch(owner=owner, actor=actor, reason="undone") as batch:
        rows = Memory.objects.filter(owner_id=owner, id__in=memory_ids)
        present = list(rows.values_list("id", flat=True))
        Event.objects.filter(owner_id=owner, memory_id__in=present).update(before=None)
        ports.on_erase(present, owner=owner)
        mentions = Mention.objects.filter(owner_id=owner, memory_id__in=present)
        named = set(mentions.values_list("entity_id", flat=True))
        rows._raw_delete("default")  # noqa: SLF001 - one statement, no collecting
        graph_index.drop_unmentioned(owner=owner, among=named)
        for memory_id in present:
            batch.note_deleted(memory_id)
        transaction.on_commit(partial(index_cache().drop, owner))
