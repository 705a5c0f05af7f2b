"""Keep the owner's counters and the append-only log of changes.

Every writer locks the ledger row first. So the writes of one owner queue up, and numbers are assigned in
commit order: after event 7, a reader never meets a later event 6.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from memories.models import Event, Ledger
from memsite.values import new_id

_LOCK = """
INSERT INTO memories_ledger (id, owner_id, index_version, index_epoch, event_sequence)
VALUES (%s, %s, 0, 0, 0)
ON CONFLICT (owner_id) DO UPDATE SET index_version = memories_ledger.index_version
RETURNING id, index_version, index_epoch, event_sequence
"""
_INDEX_STATE = "SELECT index_version, index_epoch FROM memories_ledger WHERE owner_id = %s"


#: A row that a batch retired or ended has the time of the batch. So has a row that the batch created.
_RETIRED: Final = """
SELECT count(*) FROM (
    SELECT r.id, r.created_at, coalesce(r.retired_at, r.ended_at) AS at FROM memories_memory AS r
    WHERE r.owner_id = %(owner)s AND r.status = 'deprecated'
        AND (r.retired_at >= %(since)s OR r.ended_at >= %(since)s)
) AS gone
WHERE gone.at >= %(since)s AND gone.created_at < gone.at AND (
    EXISTS (
        SELECT 1 FROM memories_event AS e WHERE e.owner_id = %(owner)s AND e.memory_id = gone.id
            AND e.created_at = gone.at AND e.actor = %(actor)s
    ) OR EXISTS (
        SELECT 1 FROM memories_memorylink AS l JOIN memories_memory AS m ON m.id = l.memory_id
        WHERE l.owner_id = %(owner)s AND m.owner_id = %(owner)s AND l.other_id = gone.id
            AND l.kind = 'supersedes' AND l.reason = ANY(%(reasons)s)
            AND m.created_at = gone.at AND m.written_by = ANY(%(writers)s)
    )
)
"""


def lock_ledger(*, owner: UUID) -> Ledger:
    """Lock the owner's counters until the transaction ends, and return them. Creates them on first use."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [new_id(), owner])
        row_id, version, epoch, sequence = cursor.fetchone()
    return Ledger(
        id=row_id, owner_id=owner, index_version=version, index_epoch=epoch, event_sequence=sequence
    )


def get_index_state(*, owner: UUID) -> tuple[int, int]:
    """Return (version, epoch) of the owner's index; (0, 0) before the first write."""
    # plain SQL, because every search asks and composing the query took ten times as long
    with connection.cursor() as cursor:
        cursor.execute(_INDEX_STATE, [owner])
        return cursor.fetchone() or (0, 0)


def list_events_of_batch(batch_id: UUID, *, owner: UUID) -> QuerySet[Event]:
    """Return the events of one batch, last first, which is the order of undoing."""
    return Event.objects.filter(owner_id=owner, batch_id=batch_id).order_by("-sequence")


def list_events_of_memories(memory_ids: list[UUID], *, owner: UUID) -> QuerySet[Event]:
    """Return the events of these memories, oldest first."""
    return Event.objects.filter(owner_id=owner, memory_id__in=memory_ids).order_by("sequence")


def count_retired(
    since: datetime, *, actor: str, writers: Collection[str], reasons: Collection[str], owner: UUID
) -> int:
    """Count the memories that were retired or ended since then and still are, by an actor or by writers.

    Memories that one batch both created and ended do not count, nor does what a person undid or decided.

    Args:
        since: The first moment that counts.
        actor: Every memory that a batch of this actor retired counts.
        writers: Of other batches, what they replaced by a new memory of one of these writers counts.
        reasons: The reasons of such replacements.
        owner: The owner.
    """
    values: dict[str, Any] = {
        "owner": owner,
        "since": since,
        "actor": actor,
        "writers": list(writers),
        "reasons": list(reasons),
    }
    with connection.cursor() as cursor:
        cursor.execute(_RETIRED, values)
        return int(cursor.fetchone()[0])
