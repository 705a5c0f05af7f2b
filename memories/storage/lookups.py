"""Look up rows of an owner's tables by many keys at once, with one index look-up for each key.

The planner has no statistics of what people wrote. It estimates that a thousand keys match most of a table,
and would compare each row of the owner with each key: a batch would take longer the more is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import BinaryField, Model, Q

from memories.models import Entity, Erasure, Memory, MemorySource
from memories.values import Status

#: OFFSET 0 keeps the inner SELECT separate, so that it runs once for each key.
_ROWS: Final = """
SELECT found.* FROM unnest(%s::{type}[]) AS wanted (key) CROSS JOIN LATERAL (
    SELECT {columns} FROM {table} AS row
    WHERE row.owner_id = %s AND row.{field} = wanted.key AND {condition} OFFSET 0
) AS found
"""
_MOST_OF_MESSAGE: Final = 12
_TOGETHER: Final = """
SELECT found.ids FROM (
    SELECT DISTINCT s.reference FROM memories_memorysource AS s
    WHERE s.owner_id = %s AND s.memory_id = ANY(%s) OFFSET 0
) AS wanted CROSS JOIN LATERAL (
    SELECT array_agg(row.memory_id) AS ids FROM (
        SELECT x.memory_id FROM memories_memorysource AS x
        WHERE x.owner_id = %s AND x.reference = wanted.reference LIMIT %s
    ) AS row
) AS found WHERE cardinality(found.ids) <= %s
"""
_IS_ACTIVE: Final = "row.retired_at IS NULL AND row.ended_at IS NULL AND row.forgotten_at IS NULL"
_CONTAINING: Final = f"""
SELECT row.id, row.content FROM memories_memory AS row
WHERE row.owner_id = %s AND row.layer <> 'episodic' AND {_IS_ACTIVE}
    AND char_length(row.content) <= %s AND lower(row.content) LIKE ANY(%s)
"""  # noqa: S608 - built from the constant above
_ALONE: Final = """
SELECT found.memory_id FROM unnest(%s::text[]) AS wanted (reference) CROSS JOIN LATERAL (
    SELECT s.memory_id FROM memories_memorysource AS s
    WHERE s.owner_id = %s AND s.reference = wanted.reference OFFSET 0
) AS found GROUP BY found.memory_id HAVING count(*) = (
    SELECT count(*) FROM memories_memorysource AS x
    WHERE x.owner_id = %s AND x.memory_id = found.memory_id
)
"""
_LAST_TURNS: Final = """
SELECT wanted.session, last.turn FROM unnest(%s::text[]) AS wanted (session) CROSS JOIN LATERAL (
    SELECT m.turn FROM memories_memory AS m
    WHERE m.owner_id = %s AND m.session = wanted.session AND m.layer = 'episodic' AND m.turn IS NOT NULL
    ORDER BY m.turn DESC LIMIT 1
) AS last
"""


def active_by_fingerprint(fingerprints: Collection[bytes], *, owner: UUID) -> dict[bytes, Memory]:
    """Return the active row of each fingerprint that has one."""
    ids = _ids("fingerprint", fingerprints, owner=owner, condition=_IS_ACTIVE)
    return {bytes(row.fingerprint): row for row in _rows(ids, owner=owner)}


def inactive_by_fingerprint(fingerprints: Collection[bytes], *, owner: UUID) -> list[Memory]:
    """Return the rows of these fingerprints that are not active, ordered by when they were forgotten."""
    ids = _ids("fingerprint", fingerprints, owner=owner, condition=f"NOT ({_IS_ACTIVE})")
    return list(_rows(ids, owner=owner, order="forgotten_at"))


def active_by_wording(wordings: Collection[bytes], *fields: str, owner: UUID) -> list[Memory]:
    """Return the active rows of these wordings, with only these fields loaded."""
    ids = _ids("wording", wordings, owner=owner, condition=f"row.wording <> '' AND {_IS_ACTIVE}")
    return list(Memory.objects.filter(owner_id=owner, id__in=ids).only(*fields)) if ids else []


def active_by_object(slots: Collection[str], objects: Collection[str], *, owner: UUID) -> list[Memory]:
    """Return the active rows of these slots whose object is one of these."""
    ids = _ids("slot", slots, owner=owner, condition=f"row.slot <> '' AND {_IS_ACTIVE}")
    return [row for row in _rows(ids, owner=owner, order="-created_at") if row.object in objects]


def believed_by_slot(
    single: Collection[str],
    many: Collection[str] = (),
    conversations: Collection[str] = (),
    *,
    owner: UUID,
    naming: Mapping[str, Callable[[str, str], bool]] | None = None,
) -> dict[str, list[Memory]]:
    """Return the rows of each slot that were ever believed and not retired: active and ended ones.

    Args:
        single: Slots with one value; all of their rows are returned.
        many: Slots with many values. Only rows that are `single_valued`, and rows of the given conversations,
            are returned.
        conversations: Prefixes of sessions.
        owner: The owner.
        naming: For further slots, whether a row with this object and content is returned.
    """
    naming = naming or {}
    few = Q(single_valued=True)
    for conversation in conversations:
        few |= Q(session__startswith=conversation)
    keys = {*single, *many, *naming}
    condition = "row.slot <> '' AND row.retired_at IS NULL AND row.forgotten_at IS NULL"
    columns = "row.id, row.slot, row.object, " + ("row.content" if naming else "''")
    found = _looked_up(Memory, "slot", keys, columns, owner=owner, condition=condition)
    named = [key for key, slot, thing, content in found if slot in naming and naming[slot](thing, content)]
    ids = [key for key, slot, *_ in found if slot in single or slot in many]
    condition_of_slots = Q(slot__in=list(single)) | few | Q(id__in=named)
    rows: dict[str, list[Memory]] = {}
    for row in _rows(
        {*ids, *named}, condition_of_slots & ~Q(status=Status.PENDING), owner=owner, order="created_at"
    ):
        rows.setdefault(row.slot, []).append(row)
    return rows


def active_by_words(words: Collection[str], *, longest: int, owner: UUID) -> list[tuple[UUID, str]]:
    """Return id and content of the active memories, without episodes, that contain one of these words.

    Args:
        words: Words or parts of words in lower case.
        longest: The most characters of a content.
        owner: The owner.
    """
    if not words:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_CONTAINING, [owner, longest, [f"%{_escape(word)}%" for word in words]])
        return list(cursor.fetchall())


def _escape(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")


def learnt_by_reference(references: Collection[str], *, owner: UUID) -> dict[tuple[str, bytes], UUID]:
    """Return what was learnt from each source: the memory's id by (reference, fingerprint)."""
    columns = "row.reference, row.fingerprint, row.memory_id"
    rows = _looked_up(MemorySource, "reference", references, columns, owner=owner)
    return {(reference, bytes(key)): memory_id for reference, key, memory_id in rows}


def list_learnt_from(references: Collection[str], *, owner: UUID) -> set[UUID]:
    """Return the memories that came from any of these sources."""
    rows = _looked_up(MemorySource, "reference", references, "row.memory_id", owner=owner)
    return {memory_id for (memory_id,) in rows}


def list_learnt_only_from(references: Collection[str], *, owner: UUID) -> set[UUID]:
    """Return the memories that came only from these sources."""
    if not references:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_ALONE, [list(set(references)), owner, owner])
        return {memory_id for (memory_id,) in cursor.fetchall()}


def filter_erased(digests: Collection[bytes], *, owner: UUID) -> set[bytes]:
    """Return those of the digests that an erasure left."""
    return {bytes(digest) for (digest,) in _looked_up(Erasure, "digest", digests, "row.digest", owner=owner)}


def find_entity_ids(keys: Collection[str], *, owner: UUID) -> dict[str, UUID]:
    """Return the entity of each key that has one."""
    return dict(_looked_up(Entity, "key", keys, "row.key, row.id", owner=owner))


def find_last_turns(sessions: Collection[str], *, owner: UUID) -> dict[str, int]:
    """Return the highest turn of each session that has one."""
    with connection.cursor() as cursor:
        cursor.execute(_LAST_TURNS, [list(sessions), owner])
        return dict(cursor.fetchall())


def list_learnt_with(memory_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return the memories that have a source in common with one of these. One statement.

    A source of more than `_MOST_OF_MESSAGE` memories is no message, but perhaps a file that was imported.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TOGETHER, [owner, list(memory_ids), owner, _MOST_OF_MESSAGE + 1, _MOST_OF_MESSAGE])
        return {memory_id for (ids,) in cursor.fetchall() for memory_id in ids}


def _rows(ids: Collection[UUID], *conditions: Q, owner: UUID, order: str = "id") -> Iterable[Memory]:
    """Return the rows of these ids; without ids, which is the usual case, make no statement."""
    rows = Memory.objects.filter(*conditions, owner_id=owner, id__in=list(ids))
    return rows.order_by(order, "id") if ids else ()


def _ids(field: str, keys: Collection[Any], *, owner: UUID, condition: str) -> list[UUID]:
    """Return the ids of memories whose field has one of the keys as its value."""
    rows = _looked_up(Memory, field, keys, "row.id", owner=owner, condition=condition)
    return [memory_id for (memory_id,) in rows]


def _looked_up(
    model: type[Model],
    field: str,
    keys: Collection[Any],
    columns: str,
    *,
    owner: UUID,
    condition: str = "TRUE",
) -> list[tuple[Any, ...]]:
    """Return columns of the owner's rows whose field has one of the keys as its value.

    Makes no statement without keys. `condition` is SQL about `row` that must imply the condition of the
    partial index on owner and field.
    """
    if not keys:
        return []
    statement = _ROWS.format(
        table=model._meta.db_table,
        type="bytea" if isinstance(model._meta.get_field(field), BinaryField) else "text",
        columns=columns,
        field=field,
        condition=condition,
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(keys), owner])
        return list(cursor.fetchall())
