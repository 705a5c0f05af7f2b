"""Use of memories: appended as it happens, rolled up into the rows later, never awaited."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count
from django.utils import timezone

from memories.models import MemoryAccess
from memories.storage.events import lock_ledger
from memsite.jobs import enqueue

ROLL_UP: Final = "memories.tasks.roll_up_owner"

#: From the table itself, so that a memory erased meanwhile is passed over.
_APPEND = """
INSERT INTO memories_memoryaccess (id, owner_id, memory_id, at)
SELECT gen_random_uuid(), owner_id, id, %(at)s FROM memories_memory
WHERE owner_id = %(owner)s AND id = ANY(%(ids)s)
"""

_ROLL_UP = """
WITH used AS (
    DELETE FROM memories_memoryaccess WHERE owner_id = %(owner)s RETURNING memory_id, at
), counted AS (
    SELECT memory_id, count(*) AS uses, max(at) AS last FROM used GROUP BY memory_id
), moved AS (
    UPDATE memories_memory AS m SET
        access_count = m.access_count + counted.uses,
        last_accessed_at = greatest(m.last_accessed_at, counted.last),
        importance = greatest(m.importance, m.base_importance),
        index_version = %(version)s
    FROM counted WHERE m.owner_id = %(owner)s AND m.id = counted.memory_id
    RETURNING m.id
)
UPDATE memories_ledger SET index_version = %(version)s
WHERE owner_id = %(owner)s AND EXISTS (SELECT 1 FROM moved)
"""


def note_access(memory_ids: Collection[UUID], *, owner: UUID, at: datetime | None = None) -> None:
    """Memories were cited, or a person opened one. Appends in one statement; counted within a minute."""
    with connection.cursor() as cursor:
        cursor.execute(_APPEND, {"at": at or timezone.now(), "owner": owner, "ids": list(memory_ids)})


def queue_roll_up(*, owner: UUID) -> None:
    """Let the owner's waiting accesses be counted soon; one job at a time waits to do it."""
    enqueue(ROLL_UP, str(owner), owner=owner, unique_key=f"roll-up:{owner}")


def roll_up(*, owner: UUID) -> None:
    """Count one owner's waiting accesses into the memories. What was used is important again."""
    with transaction.atomic():
        ledger = lock_ledger(owner=owner)
        with connection.cursor() as cursor:
            cursor.execute(_ROLL_UP, {"owner": owner, "version": ledger.index_version + 1})


def owners_to_roll_up(least: int = 1) -> list[UUID]:
    """Owners with at least so many waiting accesses. Across owners: for the schedule alone."""
    rows = MemoryAccess.objects.values_list("owner_id").annotate(waiting=Count("id"))
    return [owner for owner, _ in rows.filter(waiting__gte=least)]
