"""Find the owners for whom reflection is due. These queries span owners and are only for the schedules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import Count

from memories.conf import REFLECTION
from memories.maintenance.reflection.conf import JOB_SECONDS
from memories.maintenance.reflection.proposals import ReflectionKind
from memories.models import IS_ACTIVE, Memory
from memories.values import Layer
from memsite.jobs import enqueue
from memsite.serving.postgres import across_owners

TASK: Final = "memories.tasks.reflect_by_the_clock"
#: Selects owners with at least `least_seen` active memories who had a memory written, changed, ended or
#: forgotten since their last search for patterns. Parameter: `least_seen`.
_NEWS: Final = """
SELECT m.owner_id FROM memories_memory AS m
LEFT JOIN (
    SELECT owner_id, max(finished_at) AS at FROM memories_reflection WHERE kind = 'patterns' GROUP BY owner_id
) AS last ON last.owner_id = m.owner_id
WHERE m.layer <> 'procedural'
GROUP BY m.owner_id
HAVING count(*) FILTER (
    WHERE m.retired_at IS NULL AND m.ended_at IS NULL AND m.forgotten_at IS NULL
) >= %s AND max(m.updated_at) > coalesce(max(last.at), '-infinity')
"""


@across_owners()
def list_owners_with_episodes() -> list[UUID]:
    """Return the owners with enough unreflected episodes."""
    rows = Memory.objects.filter(IS_ACTIVE, layer=Layer.EPISODIC, reflected_at=None).order_by("owner_id")
    counted = rows.values_list("owner_id").annotate(waiting=Count("id"))
    return [owner for owner, _ in counted.filter(waiting__gte=REFLECTION.episodes)]


@across_owners()
def list_owners_with_changes() -> list[UUID]:
    """Return the owners with memories that changed since the last search for patterns. One pass over all."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWS, [REFLECTION.least_seen])
        return [owner for (owner,) in cursor.fetchall()]


def queue_reflections(kind: ReflectionKind, owners: Iterable[UUID]) -> int:
    """Queue one kind of reflection once for each owner. Return the number of owners."""
    number = 0
    for owner in owners:
        enqueue(TASK, owner, kind, owner=owner, unique_key=f"reflect-{kind}:{owner}", timeout=JOB_SECONDS)
        number += 1
    return number
