"""Build the SQL that both walks share: eligible memories, equal entities, and one step outwards.

Every piece names the owner whose rows it reads. Parameters: owner, world (as_of), belief (believed_at),
hidden.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from memories.text import SAME

#: Memories followed from one entity in one step, the newest.
FAN_OUT: Final = 50
#: Entities and memories kept after one step, the nearest.
BREADTH: Final = 200
#: An entity with more memories is not followed after the first step: it would lead everywhere.
HUB: Final = 100
#: The most statements used that two names are one, the newest: nobody has more names than that.
_MOST_SAME: Final = 500
#: The longest chain of such statements (Robert, Bob, Bobby …) that still makes one entity.
_LONGEST_CHAIN: Final = 3

#: Whether memory m is eligible; the same as `queries.active_at_condition`.
ANSWERS: Final = """
    m.owner_id = %(owner)s AND m.created_at <= %(belief)s
    AND (m.retired_at IS NULL OR m.retired_at > %(belief)s)
    AND (m.valid_from IS NULL OR m.valid_from <= %(world)s)
    AND (m.valid_until IS NULL OR m.valid_until > %(world)s OR m.ended_at > %(belief)s)
    AND m.status NOT IN ('forgotten', 'pending') AND NOT m.id = ANY(%(hidden)s::uuid[])
"""

#: same (entity_id, one): entities that eligible memories say are one, named by the oldest of them.
SAME_ENTITIES: Final = f"""
    told AS MATERIALIZED (
        SELECT r.subject_id AS a, r.object_id AS b
        FROM memories_relation AS r
        JOIN memories_memory AS m ON m.owner_id = r.owner_id AND m.id = r.memory_id
        WHERE r.owner_id = %(owner)s AND r.predicate = '{SAME}' AND {ANSWERS}
        ORDER BY r.memory_id DESC LIMIT {_MOST_SAME}
    ),
    pairs AS (SELECT a, b FROM told UNION SELECT b, a FROM told),
    reach AS (
        SELECT DISTINCT a AS entity_id, a AS other, 0 AS steps FROM pairs
        UNION
        SELECT reach.entity_id, pairs.b, reach.steps + 1 FROM reach JOIN pairs ON pairs.a = reach.other
        WHERE reach.steps < {_LONGEST_CHAIN}
    ),
    same AS MATERIALIZED (
        SELECT entity_id, (array_agg(other ORDER BY other))[1] AS one FROM reach GROUP BY entity_id
    )
"""  # noqa: S608 - built from constants, nothing from outside

#: The number of memories that mention entity {0}, counted only as far as it matters.
DEGREE: Final = f"""
    LATERAL (
        SELECT count(*) AS n FROM (
            SELECT 1 FROM memories_mention AS y
            WHERE y.owner_id = %(owner)s AND y.entity_id = {{0}} LIMIT {10 * HUB}
        ) AS counted
    )
"""  # noqa: S608 - as above

#: The newest eligible memories that mention entity {0}.
MEMORIES_OF: Final = f"""
    LATERAL (
        SELECT y.memory_id FROM memories_mention AS y
        JOIN memories_memory AS m ON m.owner_id = y.owner_id AND m.id = y.memory_id
        WHERE y.owner_id = %(owner)s AND y.entity_id = {{0}} AND {ANSWERS}
        ORDER BY y.memory_id DESC LIMIT {FAN_OUT}
    )
"""  # noqa: S608 - as above

#: The representative of entity {0}.
ONE_OF: Final = "coalesce((SELECT s.one FROM same AS s WHERE s.entity_id = {0}), {0})"


def parameters(
    *, owner: UUID, as_of: datetime | None, believed_at: datetime | None, hidden: Collection[UUID]
) -> dict[str, Any]:
    """Return the parameters of the pieces above. Both times default to now."""
    now = timezone.now()
    return {
        "owner": owner,
        "world": as_of or now,
        "belief": believed_at or now,
        "hidden": list(hidden),
    }
