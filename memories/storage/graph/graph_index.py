"""Derive entities, relations and mentions from memories, in the transaction that stores the memories."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from memories.models import Entity, Ledger, Memory, Mention, Relation
from memories.storage.copying import copy_rows
from memories.storage.events import lock_ledger
from memories.storage.lookups import find_entity_ids
from memories.text import (
    OWNER,
    StatementReading,
    hash_name,
    list_name_candidates,
    make_name_key,
    pack_names,
    read_statement,
    unpack_hashes,
)
from memories.values import Layer
from memsite.values import new_id

Row = dict[str, Any]

#: Incremented when the reading of memories changes: a rebuild with a newer number starts from the beginning.
RULES: Final = 2

_DROP_UNMENTIONED: Final = """
DELETE FROM memories_entity AS e
WHERE e.owner_id = %(owner)s AND (%(among)s::uuid[] IS NULL OR e.id = ANY(%(among)s::uuid[]))
    AND NOT EXISTS (
        SELECT 1 FROM memories_mention AS x WHERE x.owner_id = e.owner_id AND x.entity_id = e.id
    )
"""


def read_memory(memory: Memory, named: Iterable[str] = ()) -> StatementReading:
    """Return the names and relations in a memory. `named` are additional names given by its writer."""
    return read_statement(
        memory.content,
        subject=memory.subject,
        predicate=memory.predicate,
        thing=memory.object,
        named=tuple(dict.fromkeys((*memory.participants, *named))),
        statement=memory.layer != Layer.EPISODIC,
    )


def hash_names(memory: Memory, named: Iterable[str] = ()) -> bytes:
    """Return the value of `Memory.entity_terms`: the packed hashes of the memory's names."""
    return pack_names(read_memory(memory, named).names)


def index_memories(memories: Sequence[tuple[Memory, tuple[str, ...]]], *, owner: UUID) -> None:
    """Index new memories, each with the names that its writer gave. The ledger must be locked."""
    readings = [(memory.id, read_memory(memory, named)) for memory, named in memories]
    names: dict[str, str] = {}
    for _, reading in readings:
        for name in reading.names:
            key = make_name_key(name)
            names.setdefault(key, OWNER if key == OWNER else name)
    if not names:
        return
    ids = _entity_ids(names, owner=owner)
    mentions, relations = [], []
    for memory_id, reading in readings:
        mentions += _mentions(memory_id, reading, ids, owner=owner)
        relations += _relations(memory_id, reading, ids, owner=owner)
    copy_rows(Mention, mentions)
    copy_rows(Relation, relations)


def reindex_memories(
    memories: Sequence[Memory], *, owner: UUID, named: Mapping[UUID, tuple[str, ...]] = MappingProxyType({})
) -> None:
    """Derive the graph rows and index terms of stored memories again, from the given objects.

    Call it after changing `participants` or a triple, in the same transaction. Names that a writer gave are
    kept if the text still holds them. Idempotent; locks the owner's ledger.

    Args:
        memories: The memories.
        owner: Their owner.
        named: Additional names of memories, by id.
    """
    with transaction.atomic():
        ledger = lock_ledger(owner=owner)
        given = [(memory, (*list_given_names(memory), *named.get(memory.pk, ()))) for memory in memories]
        ids = [memory.pk for memory in memories]
        gone = Mention.objects.filter(owner_id=owner, memory_id__in=ids)
        before = set(gone.values_list("entity_id", flat=True))
        gone._raw_delete("default")  # noqa: SLF001 - one statement, no collecting
        Relation.objects.filter(owner_id=owner, memory_id__in=ids)._raw_delete("default")  # noqa: SLF001 - as above
        index_memories(given, owner=owner)
        drop_unmentioned(owner=owner, among=before)
        _write_terms(given, ledger, owner=owner)


def drop_unmentioned(*, owner: UUID, among: Collection[UUID] | None = None) -> int:
    """Delete entities that no memory mentions, and return how many. `among` limits it to these ids."""
    if among is not None and not among:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_DROP_UNMENTIONED, {"owner": owner, "among": None if among is None else list(among)})
        return int(cursor.rowcount)


def list_given_names(memory: Memory) -> tuple[str, ...]:
    """Return the names in the text that only its writer gave, by the hashes in the row."""
    read_anyway = {hash_name(make_name_key(name)) for name in read_memory(memory).names}
    hashes = unpack_hashes(bytes(memory.entity_terms)) - read_anyway
    if not hashes:
        return ()
    keys = [
        key for key in dict.fromkeys(list_name_candidates(memory.content)) if key and hash_name(key) in hashes
    ]
    return tuple(_as_written(key, memory.content) for key in keys)


def _as_written(key: str, content: str) -> str:
    at = content.lower().find(key)
    return content[at : at + len(key)] if at >= 0 else key


def _write_terms(named: Sequence[tuple[Memory, tuple[str, ...]]], ledger: Ledger, *, owner: UUID) -> None:
    """Update the index terms of rows whose names changed; the next search loads them."""
    changed = []
    for memory, names in named:
        terms = hash_names(memory, names)
        if terms != bytes(memory.entity_terms):
            memory.entity_terms = terms
            changed.append(memory)
    if not changed:
        return
    version = ledger.index_version + 1
    for memory in changed:
        memory.index_version = version
    Memory.objects.bulk_update(changed, ["entity_terms", "index_version"], batch_size=500)
    Ledger.objects.filter(owner_id=owner).update(index_version=version)


def _mentions(memory_id: UUID, reading: StatementReading, ids: dict[str, UUID], *, owner: UUID) -> list[Row]:
    return [
        {"id": new_id(), "owner_id": owner, "memory_id": memory_id, "entity_id": ids[make_name_key(name)]}
        for name in reading.names
    ]


def _relations(memory_id: UUID, reading: StatementReading, ids: dict[str, UUID], *, owner: UUID) -> list[Row]:
    stated = {
        (ids[make_name_key(one.subject)], one.predicate, ids[make_name_key(one.object)])
        for one in reading.relations
    }
    return [
        {
            "id": new_id(),
            "owner_id": owner,
            "memory_id": memory_id,
            "subject_id": subject,
            "predicate": predicate,
            "object_id": thing,
        }
        for subject, predicate, thing in sorted(stated)
    ]


def _entity_ids(names: dict[str, str], *, owner: UUID) -> dict[str, UUID]:
    ids = find_entity_ids(names, owner=owner)
    now = timezone.now()
    fresh = {key: new_id() for key in names if key not in ids}
    rows = [
        {"id": entity_id, "owner_id": owner, "name": names[key][:255], "key": key, "created_at": now}
        for key, entity_id in fresh.items()
    ]
    copy_rows(Entity, rows)
    return ids | fresh
