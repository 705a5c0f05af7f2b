"""Record accesses to memories. They are appended at once and counted into the memories later."""

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
from memsite.serving.postgres import across_owners

ROLL_UP: Final = "memories.tasks.roll_up_owner"

#: Selects from the memories themselves, so that a memory that was erased meanwhile is skipped.
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
    """Record that memories were cited or that a person opened one.

    Appends in one statement; the accesses are counted within a minute.
    """
    with connection.cursor() as cursor:
        cursor.execute(_APPEND, {"at": at or timezone.now(), "owner": owner, "ids": list(memory_ids)})


def queue_roll_up(*, owner: UUID) -> None:
    """Queue a roll-up of the owner's accesses; at most one job waits at a time."""
    enqueue(ROLL_UP, str(owner), owner=owner, unique_key=f"roll-up:{owner}")


def roll_up_accesses(*, owner: UUID) -> None:
    """Count one owner's recorded accesses, and raise lowered importances to their base values."""
    with transaction.atomic():
        ledger = lock_ledger(owner=owner)
        with connection.cursor() as cursor:
            cursor.execute(_ROLL_UP, {"owner": owner, "version": ledger.index_version + 1})


@across_owners()
def list_owners_to_roll_up(least: int = 1) -> list[UUID]:
    """Return the owners with at least this many uncounted accesses. Across owners: for the schedule only."""
    rows = MemoryAccess.objects.values_list("owner_id").annotate(waiting=Count("id"))
    return [owner for owner, _ in rows.filter(waiting__gte=least)]
