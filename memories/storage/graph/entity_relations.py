"""Return the relations of one entity, each with the memory that states it, and those of its neighbours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Q

from memories.models import Entity
from memories.storage.graph.neighbourhood import find_entity
from memories.storage.graph.statements import ANSWERS, MEMORIES_OF, SAME_ENTITIES, parameters
from memories.text import OWNER, SAME, make_name_key

#: The most relations returned of one entity, the newest.
MOST_RELATIONS: Final = 500
#: The most relations returned of each of its neighbours in each direction, the newest.
_MOST_FURTHER: Final = 12
#: Characters of a memory's text that are returned.
_LONGEST_TEXT: Final = 300
#: The most days returned on which relations began or ended.
_MOST_DAYS: Final = 400
#: Names that a search looks at, the best matches; those that no eligible memory mentions are left out.
_MOST_MATCHES: Final = 50


@dataclass(frozen=True, slots=True)
class EntityRelation:
    """A relation "subject —predicate→ object" and the memory that states it.

    Attributes:
        predicate: Empty if the memory only mentions both entities.
        content: The beginning of the memory's text.
    """

    subject: UUID
    predicate: str
    object: UUID
    memory: UUID
    content: str
    kind: str


@dataclass(frozen=True, slots=True)
class EntityName:
    """An entity under its oldest name. `is_owner`: whether it is the person whose memories these are."""

    id: UUID
    name: str
    is_owner: bool = False


@dataclass(frozen=True, slots=True)
class EntityRelations:
    """An entity with its relations.

    Attributes:
        start: The entity.
        aliases: Its other names.
        relations: Its relations, the newest first; those that only mention both come last.
        names: The names of all entities in `relations`.
        more: Whether older relations were left out.
        days: The days on which its relations begin or end, whatever day was asked for; oldest first.
    """

    start: EntityName
    aliases: tuple[str, ...]
    relations: tuple[EntityRelation, ...]
    names: dict[UUID, EntityName]
    more: bool
    days: tuple[date, ...]


@dataclass(frozen=True, slots=True)
class GraphTime:
    """The time of the requested graph, and the memories to leave out.

    Attributes:
        as_of: See `queries.active_at_condition`.
        believed_at: See `queries.active_at_condition`.
        hidden: Memories to leave out.
    """

    as_of: datetime | None = None
    believed_at: datetime | None = None
    hidden: frozenset[UUID] = frozenset()

    def make_parameters(self, *, owner: UUID) -> dict[str, Any]:
        """Return the parameters of the statements."""
        return parameters(owner=owner, as_of=self.as_of, believed_at=self.believed_at, hidden=self.hidden)


def load_entity_relations(
    entity: str, *, owner: UUID, time: GraphTime | None = None, predicates: Sequence[str] | None = None
) -> EntityRelations | None:
    """Return an entity's relations, and what is only mentioned together with it. Makes 6 or 7 statements.

    Args:
        entity: A name, in any spelling, or an id; empty for the entity with most relations.
        owner: The owner.
        time: Of what time; by default now.
        predicates: Only relations with these predicates; an empty one for what is only mentioned together.

    Returns:
        The relations, or None if there is no entity of this name, or none at all.

    Raises:
        NotFound: If an id is no entity of this owner.
    """
    found = find_entity(entity, owner=owner) if entity.strip() else _find_most_related(owner=owner)
    if found is None:
        return None
    values = (time or GraphTime()).make_parameters(owner=owner)
    same = _load_same(values)
    start = same.get(found, found)
    group = _group([start], same)
    stated = _load_relations(group, values, same, predicates)
    more = len(stated) > MOST_RELATIONS
    stated = stated[:MOST_RELATIONS]
    linked = {end for one in stated for end in (one.subject, one.object)}
    is_open = predicates is None or "" in predicates
    together = [] if not is_open else _load_mentioned_together(start, group, values, same)
    relations = [*stated, *(one for one in together if one.object not in linked)]
    ends = {end for one in relations for end in (one.subject, one.object)}
    names = load_entity_names({start, *ends}, owner=owner, same=same)
    aliases = _load_aliases(start, group, owner=owner)
    return EntityRelations(names[start], aliases, tuple(relations), names, more, _load_days(group, values))


def load_further_relations(
    entities: Sequence[UUID],
    without: UUID,
    *,
    owner: UUID,
    time: GraphTime | None = None,
    within: bool,
) -> tuple[list[EntityRelation], dict[UUID, EntityName]]:
    """Return the newest relations of several entities, without those to `without`. At most 4 statements.

    Args:
        entities: The entities, by the ids that `load_entity_relations` returned.
        without: The entity whose relations are known already.
        owner: The owner.
        time: Of what time; by default now.
        within: Whether to return only relations between two of the entities.

    Returns:
        The relations, at most 12 in each direction of each entity, and the names of their entities.
    """
    if not entities:
        return [], {}
    values = (time or GraphTime()).make_parameters(owner=owner)
    same = _load_same(values)
    group = _group(entities, same)
    values |= {"without": _group([without], same), "within": within, "most": _MOST_FURTHER}
    found = _fetch_relations(_RELATIONS_OF, values | {"ids": group, "predicates": None}, same)
    ends = {end for one in found for end in (one.subject, one.object)}
    return found, load_entity_names(ends, owner=owner, same=same)


def find_entities(
    words: str, *, owner: UUID, time: GraphTime | None = None, most: int = 8
) -> list[EntityName]:
    """Return the entities whose name contains these words, those that begin with them first. 1 statement."""
    key = make_name_key(words)
    if not key:
        return []
    # "me" is the owner, and may also be the beginning of a name.
    search_parameters = {"key": words.strip().lower() if key == OWNER else key, "exact": key, "most": most}
    values = (time or GraphTime()).make_parameters(owner=owner) | search_parameters
    with connection.cursor() as cursor:
        cursor.execute(_MATCHES, values)
        return [EntityName(entity, name, name_key == OWNER) for entity, name, name_key in cursor.fetchall()]


def load_entity_names(
    entities: Collection[UUID], *, owner: UUID, same: dict[UUID, UUID]
) -> dict[UUID, EntityName]:
    """Return the names of entities by id. `same` maps each of several equal entities to one of them."""
    rows = Entity.objects.filter(Q(id__in=list(entities)) | Q(key=OWNER), owner_id=owner)
    found = list(rows.values_list("id", "name", "key"))
    owners = {same.get(entity, entity) for entity, _name, key in found if key == OWNER}
    return {entity: EntityName(entity, name, entity in owners) for entity, name, _key in found}


def _find_most_related(*, owner: UUID) -> UUID | None:
    """Return the entity with most relations, else the one with most mentions, of whatever time and status."""
    for statement in (_MOST_RELATED, _MOST_MENTIONED):
        with connection.cursor() as cursor:
            cursor.execute(statement, {"owner": owner})
            row = cursor.fetchone()
        if row is not None:
            return UUID(str(row[0]))
    return None


def _load_same(values: dict[str, Any]) -> dict[UUID, UUID]:
    """Return the representative of each entity that, as memories say, is the same as others."""
    with connection.cursor() as cursor:
        cursor.execute(_SAME, values)
        return dict(cursor.fetchall())


def _group(ones: Iterable[UUID], same: dict[UUID, UUID]) -> list[UUID]:
    """Return the ids of these entities under all of their names."""
    wanted = set(ones)
    return sorted(wanted | {entity for entity, one in same.items() if one in wanted})


def _load_relations(
    group: list[UUID], values: dict[str, Any], same: dict[UUID, UUID], predicates: Sequence[str] | None
) -> list[EntityRelation]:
    wanted = None if predicates is None else list(predicates)
    relation_parameters = {
        "ids": group,
        "without": [],
        "within": False,
        "most": MOST_RELATIONS + 1,
        "predicates": wanted,
    }
    return _fetch_relations(_RELATIONS_OF, values | relation_parameters, same)


def _fetch_relations(statement: str, values: dict[str, Any], same: dict[UUID, UUID]) -> list[EntityRelation]:
    """Return relations between the representatives of their ends, without those of one to itself."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    found = (
        EntityRelation(same.get(subject, subject), predicate, same.get(thing, thing), *rest)
        for subject, predicate, thing, *rest in rows
    )
    return list(dict.fromkeys(one for one in found if one.subject != one.object))


def _load_mentioned_together(
    start: UUID, group: list[UUID], values: dict[str, Any], same: dict[UUID, UUID]
) -> list[EntityRelation]:
    """Return, for each entity that the newest memories of the start mention too, the newest such memory."""
    with connection.cursor() as cursor:
        cursor.execute(_TOGETHER, values | {"ids": group})
        rows = cursor.fetchall()
    newest: dict[UUID, EntityRelation] = {}
    for other, memory, content, kind in rows:
        one = same.get(other, other)
        newest.setdefault(one, EntityRelation(start, "", one, memory, content, kind))
    return list(newest.values())


def _load_aliases(start: UUID, group: list[UUID], *, owner: UUID) -> tuple[str, ...]:
    others = [entity for entity in group if entity != start]
    if not others:
        return ()
    rows = Entity.objects.filter(owner_id=owner, id__in=others).exclude(key=OWNER)
    return tuple(rows.order_by("id").values_list("name", flat=True))


def _load_days(group: list[UUID], values: dict[str, Any]) -> tuple[date, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_DAYS, values | {"ids": group, "most": MOST_RELATIONS})
        return tuple(day for (day,) in cursor.fetchall())


_SAME: Final = f"WITH RECURSIVE {SAME_ENTITIES} SELECT entity_id, one FROM same"  # noqa: S608 - constants only

_MOST_RELATED: Final = """
SELECT entity_id FROM (
    SELECT subject_id AS entity_id FROM memories_relation WHERE owner_id = %(owner)s
    UNION ALL SELECT object_id FROM memories_relation WHERE owner_id = %(owner)s
) AS ends GROUP BY entity_id ORDER BY count(*) DESC, entity_id LIMIT 1
"""
_MOST_MENTIONED: Final = """
SELECT entity_id FROM memories_mention WHERE owner_id = %(owner)s
GROUP BY entity_id ORDER BY count(*) DESC, entity_id LIMIT 1
"""


def _relations_by(end: str, other: str) -> str:
    """Return the SELECT of relations by one of their ends, a column: the newest of each of the ids."""
    return f"""
    SELECT one.* FROM unnest(%(ids)s::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
        SELECT r.subject_id, r.predicate, r.object_id, r.memory_id,
            left(m.content, {_LONGEST_TEXT}) AS content, m.kind
        FROM memories_relation AS r
        JOIN memories_memory AS m ON m.owner_id = r.owner_id AND m.id = r.memory_id
        WHERE r.owner_id = %(owner)s AND r.{end} = wanted.id AND r.predicate <> '{SAME}' AND {ANSWERS}
            AND (%(predicates)s::text[] IS NULL OR r.predicate = ANY(%(predicates)s::text[]))
            AND NOT r.{other} = ANY(%(without)s::uuid[])
            AND (NOT %(within)s OR r.{other} = ANY(%(ids)s::uuid[]))
        ORDER BY r.memory_id DESC LIMIT %(most)s
    ) AS one"""  # noqa: S608 - built from constants, nothing from outside


#: The relations of entities (ids), the newest `most` of each in each direction.
_RELATIONS_OF: Final = f"""
SELECT * FROM (
    {_relations_by("subject_id", "object_id")} UNION {_relations_by("object_id", "subject_id")}
) AS found ORDER BY memory_id DESC, subject_id, predicate, object_id
"""  # noqa: S608 - as above

_TOGETHER: Final = f"""
SELECT x.entity_id, m.id, left(m.content, {_LONGEST_TEXT}), m.kind
FROM unnest(%(ids)s::uuid[]) AS wanted (id)
CROSS JOIN {MEMORIES_OF.format("wanted.id")} AS near
JOIN memories_mention AS x
    ON x.owner_id = %(owner)s AND x.memory_id = near.memory_id AND NOT x.entity_id = ANY(%(ids)s::uuid[])
JOIN memories_memory AS m ON m.owner_id = %(owner)s AND m.id = near.memory_id
ORDER BY m.id DESC, x.entity_id
"""  # noqa: S608 - as above


def _times_by(end: str) -> str:
    return f"""
    SELECT one.* FROM unnest(%(ids)s::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
        SELECT m.valid_from, m.valid_until FROM memories_relation AS r
        JOIN memories_memory AS m ON m.owner_id = r.owner_id AND m.id = r.memory_id
        WHERE r.owner_id = %(owner)s AND r.{end} = wanted.id AND m.created_at <= %(belief)s
            AND (m.retired_at IS NULL OR m.retired_at > %(belief)s)
            AND m.status NOT IN ('forgotten', 'pending') AND NOT m.id = ANY(%(hidden)s::uuid[])
        ORDER BY r.memory_id DESC LIMIT %(most)s
    ) AS one"""  # noqa: S608 - as above


_DAYS: Final = f"""
SELECT DISTINCT (moment AT TIME ZONE 'UTC')::date AS day
FROM ({_times_by("subject_id")} UNION ALL {_times_by("object_id")}) AS times
CROSS JOIN LATERAL unnest(ARRAY[valid_from, valid_until]) AS moment
WHERE moment <= now() ORDER BY day LIMIT {_MOST_DAYS}
"""  # noqa: S608 - as above

_MATCHES: Final = f"""
SELECT e.id, e.name, e.key FROM (
    SELECT id, name, key, CASE WHEN key = %(exact)s THEN 0 ELSE strpos(key, %(key)s) END AS place
    FROM memories_entity
    WHERE owner_id = %(owner)s AND (key = %(exact)s OR strpos(key, %(key)s) > 0)
    ORDER BY place, length(key), key LIMIT {_MOST_MATCHES}
) AS e
WHERE EXISTS (
    SELECT 1 FROM memories_mention AS y
    JOIN memories_memory AS m ON m.owner_id = y.owner_id AND m.id = y.memory_id
    WHERE y.owner_id = %(owner)s AND y.entity_id = e.id AND {ANSWERS}
)
ORDER BY e.place, length(e.key), e.key LIMIT %(most)s
"""  # noqa: S608 - as above
