"""Find memories related to a memory: those that mention the same entities, and those linked to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

from django.db import connection

from memories.models import Memory
from memories.storage.access import get_memory
from memories.storage.graph.statements import (
    ANSWERS,
    BREADTH,
    DEGREE,
    HUB,
    MEMORIES_OF,
    ONE_OF,
    SAME_ENTITIES,
    parameters,
)
from memories.storage.queries import load_memories

MOST_DEPTH: Final = 3
MOST_NEIGHBOURS: Final = 200


@dataclass(frozen=True, slots=True)
class Via:
    """The last step of the path to a neighbour.

    Attributes:
        kind: `entity` if both memories mention it, `relation` if the neighbour also states a relation of it,
            or `link`.
        name: The name of the entity, or the kind of the link.
        predicate: The predicate of the relation, or empty.
        source: The memory that the step started from.
    """

    kind: str
    name: str
    predicate: str
    source: UUID


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A related memory.

    Attributes:
        distance: Steps from the start, 1 or more.
        weight: Greater than 0 and at most 1; lower through entities with many memories.
    """

    memory: Memory
    distance: int
    weight: float
    via: Via


def list_related(
    memory_id: str | UUID,
    *,
    owner: UUID,
    depth: int = 1,
    as_of: datetime | None = None,
    believed_at: datetime | None = None,
    limit: int = 50,
    hidden: frozenset[UUID] = frozenset(),
) -> list[Neighbour]:
    """Return the memories within `depth` steps of one, nearest first and then by weight.

    A step leads through an entity that both memories mention, or along a link in either direction. Its weight
    is 1 / (1 + ln n) for an entity with n memories, and 1 for a link. Only eligible memories are visited.
    Makes three statements.

    Args:
        memory_id: The memory to start from.
        owner: The owner.
        depth: The number of steps, from 1 to 3.
        as_of: See `queries.active_at_condition`.
        believed_at: See `queries.active_at_condition`.
        limit: The most memories to return, up to 200.
        hidden: Memories to leave out.

    Raises:
        NotFound: If the owner has no such memory.
    """
    start = get_memory(memory_id, owner=owner)
    values = parameters(owner=owner, as_of=as_of, believed_at=believed_at, hidden=hidden)
    values |= {"start": start.pk, "limit": min(limit, MOST_NEIGHBOURS)}
    with connection.cursor() as cursor:
        cursor.execute(_statement(max(1, min(depth, MOST_DEPTH))), values)
        found = cursor.fetchall()
    rows = load_memories([row[0] for row in found], owner=owner) if found else {}
    return [
        Neighbour(
            rows[key], distance, round(float(weight), 4), Via(_kind(link, predicate), name, predicate, source)
        )
        for key, distance, weight, source, link, name, predicate in found
        if key in rows
    ]


def _kind(link: str, predicate: str) -> str:
    if link:
        return "link"
    return "relation" if predicate else "entity"


@lru_cache(maxsize=MOST_DEPTH)
def _statement(depth: int) -> str:
    """Return the SQL of the walk, with one group of subqueries per step.

    It is written out rather than recursive, because a recursive query can neither keep the best path to each
    memory nor limit the rows of a step.
    """
    steps = ",".join(_step(number) for number in range(1, depth + 1))
    found = " UNION ALL ".join(f"SELECT * FROM step{number}" for number in range(1, depth + 1))  # noqa: S608 - constants
    return f"""
WITH RECURSIVE {SAME_ENTITIES},
step0 AS (
    SELECT %(start)s::uuid AS memory_id, 0 AS distance, 1.0::float8 AS weight, NULL::uuid AS source,
        ''::text AS link, NULL::uuid AS entity_id
),
{steps},
found AS (SELECT * FROM ({found}) AS f ORDER BY distance, weight DESC, memory_id DESC LIMIT %(limit)s)
SELECT f.memory_id, f.distance, f.weight, f.source, f.link, coalesce(e.name, f.link),
    coalesce(r.predicate, '')
FROM found AS f
LEFT JOIN memories_entity AS e ON e.owner_id = %(owner)s AND e.id = f.entity_id
LEFT JOIN LATERAL (
    SELECT r.predicate FROM memories_relation AS r
    WHERE r.owner_id = %(owner)s AND r.memory_id = f.memory_id AND f.entity_id IN (r.subject_id, r.object_id)
    ORDER BY r.id LIMIT 1
) AS r ON true
ORDER BY f.distance, f.weight DESC, f.memory_id DESC
"""  # noqa: S608 - built from constants, nothing from outside


def _step(number: int) -> str:
    before = f"step{number - 1}"
    earlier = range(number)
    seen = " UNION ALL ".join(f"SELECT memory_id FROM step{place}" for place in earlier)  # noqa: S608 - constants
    not_earlier = "".join(f" AND one.id NOT IN (SELECT one FROM entities{place})" for place in earlier[1:])  # noqa: S608 - names of ours
    through_hubs = "" if number == 1 else f"WHERE d.n <= {HUB}"
    return f"""
entities{number} AS MATERIALIZED (
    SELECT DISTINCT ON (one.id) one.id AS one, f.memory_id AS source, f.weight
    FROM {before} AS f
    JOIN memories_mention AS x ON x.owner_id = %(owner)s AND x.memory_id = f.memory_id
    CROSS JOIN LATERAL (SELECT {ONE_OF.format("x.entity_id")} AS id) AS one
    WHERE true{not_earlier}
    ORDER BY one.id, f.weight DESC, f.memory_id
),
names{number} AS (
    SELECT e.source, e.weight, coalesce(s.entity_id, e.one) AS entity_id
    FROM entities{number} AS e LEFT JOIN same AS s ON s.one = e.one
),
touched{number} AS (
    SELECT y.memory_id, n.source, n.weight / (1 + ln(greatest(d.n, 1))) AS weight, '' AS link, n.entity_id
    FROM names{number} AS n
    CROSS JOIN {DEGREE.format("n.entity_id")} AS d
    CROSS JOIN {MEMORIES_OF.format("n.entity_id")} AS y
    {through_hubs}
    UNION ALL
    SELECT m.id, f.memory_id, f.weight, k.kind, NULL::uuid
    FROM {before} AS f
    JOIN memories_memorylink AS k ON k.owner_id = %(owner)s AND k.memory_id = f.memory_id
    JOIN memories_memory AS m ON m.id = k.other_id AND {ANSWERS}
    UNION ALL
    SELECT m.id, f.memory_id, f.weight, k.kind, NULL::uuid
    FROM {before} AS f
    JOIN memories_memorylink AS k ON k.owner_id = %(owner)s AND k.other_id = f.memory_id
    JOIN memories_memory AS m ON m.id = k.memory_id AND {ANSWERS}
),
step{number} AS MATERIALIZED (
    SELECT * FROM (
        SELECT DISTINCT ON (t.memory_id)
            t.memory_id, {number} AS distance, t.weight, t.source, t.link, t.entity_id
        FROM touched{number} AS t
        WHERE t.memory_id NOT IN ({seen})
        ORDER BY t.memory_id, t.weight DESC, t.link DESC, t.entity_id
    ) AS nearest
    ORDER BY weight DESC, memory_id DESC LIMIT {BREADTH}
)"""  # noqa: S608 - as above
