"""Return the graph around an entity or of the most mentioned entities, for pictures and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.db import connection

from memories.models import Entity
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
from memories.text import SAME, make_name_key
from memsite.errors import NotFound
from memsite.values import parse_id

MOST_DEPTH: Final = 3
MOST_ENTITIES: Final = 500
#: Relations returned for each requested entity, on average.
_RELATIONS: Final = 4


@dataclass(frozen=True, slots=True)
class Node:
    """An entity under its oldest name.

    Attributes:
        aliases: Its other names.
        mentions: The number of eligible memories that mention it, counted up to 1,000.
        distance: Steps from the requested entity; 0 if none was requested.
    """

    id: UUID
    name: str
    aliases: tuple[str, ...]
    mentions: int
    distance: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation "subject —predicate→ object" between two nodes, with the times of its memory."""

    subject: UUID
    predicate: str
    object: UUID
    memory: UUID
    valid_from: datetime | None
    valid_until: datetime | None


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """A part of the graph.

    Attributes:
        entities: Nearest first, then by mentions.
        relations: Newest first.
        more: Whether any entities or relations were left out.
    """

    entities: tuple[Node, ...]
    relations: tuple[Edge, ...]
    more: bool


def load_neighbourhood(
    entity: str = "",
    *,
    owner: UUID,
    depth: int = 1,
    as_of: datetime | None = None,
    believed_at: datetime | None = None,
    limit: int = 100,
    hidden: frozenset[UUID] = frozenset(),
) -> Neighbourhood:
    """Return the entities within `depth` steps of one, or the most mentioned ones, with their relations.

    Two entities are one step apart if an eligible memory mentions both. Makes three statements.

    Args:
        entity: A name, in any spelling, or an id; empty for the most mentioned entities. An unknown name
            gives an empty result.
        owner: The owner.
        depth: The number of steps, from 1 to 3.
        as_of: See `queries.active_at_condition`.
        believed_at: See `queries.active_at_condition`.
        limit: The most entities to return, up to 500.
        hidden: Memories to leave out.

    Raises:
        NotFound: If an id is no entity of this owner.
    """
    limit = max(1, min(limit, MOST_ENTITIES))
    start = find_entity(entity, owner=owner) if entity.strip() else None
    if entity.strip() and start is None:
        return Neighbourhood((), (), more=False)
    values = parameters(owner=owner, as_of=as_of, believed_at=believed_at, hidden=hidden)
    values |= {"start": start, "limit": limit + 1}
    statement = _most_spoken_of() if start is None else _around(max(1, min(depth, MOST_DEPTH)))
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = [Node(row[0], row[1], tuple(row[2] or ()), row[3], row[4]) for row in cursor.fetchall()]
    nodes = found[:limit]
    edges = _edges([node.id for node in nodes], values, most=_RELATIONS * limit)
    more = len(found) > limit or len(edges) > _RELATIONS * limit
    return Neighbourhood(tuple(nodes), tuple(edges[: _RELATIONS * limit]), more)


def find_entity(entity: str, *, owner: UUID) -> UUID | None:
    """Return the entity of a name, in any spelling, or of an id; None if no entity has the name.

    Raises:
        NotFound: If an id is no entity of this owner.
    """
    identifier = parse_id(entity)
    rows = Entity.objects.filter(owner_id=owner).values_list("id", flat=True)
    if identifier is None:
        return rows.filter(key=make_name_key(entity)).first()
    found = rows.filter(id=identifier).first()
    if found is None:
        raise NotFound("There is no such entity.")
    return found


def _edges(entities: list[UUID], values: dict[str, Any], *, most: int) -> list[Edge]:
    if not entities:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_RELATIONS_AMONG, values | {"entities": entities, "most": most + 1})
        return [Edge(*row) for row in cursor.fetchall()]


_RELATIONS_AMONG: Final = f"""
WITH RECURSIVE {SAME_ENTITIES},
names AS (
    SELECT s.entity_id, s.one FROM same AS s WHERE s.one = ANY(%(entities)s)
    UNION SELECT one, one FROM unnest(%(entities)s::uuid[]) AS one
)
SELECT a.one, r.predicate, b.one, r.memory_id, m.valid_from, m.valid_until
FROM names AS a
JOIN memories_relation AS r ON r.owner_id = %(owner)s AND r.subject_id = a.entity_id
JOIN names AS b ON b.entity_id = r.object_id
JOIN memories_memory AS m ON m.id = r.memory_id AND {ANSWERS}
WHERE r.predicate <> '{SAME}'
ORDER BY r.memory_id DESC, r.id LIMIT %(most)s
"""  # noqa: S608 - built from constants, nothing from outside

#: From nodes (one, distance) to the result: nearest first, then most mentioned.
_NODES: Final = f"""
SELECT n.one, e.name,
    ARRAY(
        SELECT o.name FROM same AS s
        JOIN memories_entity AS o ON o.owner_id = %(owner)s AND o.id = s.entity_id
        WHERE s.one = n.one AND s.entity_id <> n.one ORDER BY o.id
    ),
    c.mentions, n.distance
FROM nodes AS n
JOIN memories_entity AS e ON e.owner_id = %(owner)s AND e.id = n.one
CROSS JOIN LATERAL (
    SELECT count(DISTINCT y.memory_id)::int AS mentions
    FROM (
        SELECT y.memory_id FROM memories_mention AS y
        JOIN memories_memory AS m ON m.owner_id = y.owner_id AND m.id = y.memory_id
        WHERE y.owner_id = %(owner)s AND {ANSWERS}
            AND y.entity_id IN (SELECT n.one UNION SELECT s.entity_id FROM same AS s WHERE s.one = n.one)
        LIMIT {10 * HUB}
    ) AS y
) AS c
WHERE c.mentions > 0
ORDER BY n.distance, c.mentions DESC, n.one LIMIT %(limit)s
"""  # noqa: S608 - as above


@lru_cache(maxsize=1)
def _most_spoken_of() -> str:
    return f"""
WITH RECURSIVE {SAME_ENTITIES},
nodes AS MATERIALIZED (
    SELECT {ONE_OF.format("x.entity_id")} AS one, 0 AS distance
    FROM memories_mention AS x JOIN memories_memory AS m ON m.owner_id = x.owner_id AND m.id = x.memory_id
    WHERE x.owner_id = %(owner)s AND {ANSWERS}
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT %(limit)s
)
{_NODES}
"""  # noqa: S608 - as above


@lru_cache(maxsize=MOST_DEPTH)
def _around(depth: int) -> str:
    steps = ",".join(_step(number) for number in range(1, depth + 1))
    every = range(depth + 1)
    nodes = " UNION ALL ".join(f"SELECT one, {number} AS distance FROM near{number}" for number in every)  # noqa: S608 - as above
    return f"""
WITH RECURSIVE {SAME_ENTITIES},
near0 AS (SELECT {ONE_OF.format("%(start)s::uuid")} AS one, 1.0::float8 AS weight),
{steps},
nodes AS ({nodes})
{_NODES}
"""


def _step(number: int) -> str:
    seen = " UNION ALL ".join(f"SELECT one FROM near{earlier}" for earlier in range(number))  # noqa: S608 - as above
    through_hubs = "" if number == 1 else f"WHERE d.n <= {HUB}"
    return f"""
near{number} AS MATERIALIZED (
    SELECT * FROM (
        SELECT one.id AS one, max(n.weight / (1 + ln(greatest(d.n, 1)))) AS weight
        FROM (
            SELECT f.weight, coalesce(s.entity_id, f.one) AS entity_id
            FROM near{number - 1} AS f LEFT JOIN same AS s ON s.one = f.one
        ) AS n
        CROSS JOIN {DEGREE.format("n.entity_id")} AS d
        CROSS JOIN {MEMORIES_OF.format("n.entity_id")} AS y
        JOIN memories_mention AS x ON x.owner_id = %(owner)s AND x.memory_id = y.memory_id
        CROSS JOIN LATERAL (SELECT {ONE_OF.format("x.entity_id")} AS id) AS one
        {through_hubs}
        GROUP BY one.id
    ) AS reached
    WHERE one NOT IN ({seen})
    ORDER BY weight DESC, one LIMIT {BREADTH}
)"""  # noqa: S608 - as above
