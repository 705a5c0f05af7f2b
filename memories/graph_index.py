"""Entities, relations and mentions, derived from memories in the transaction that stores these."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memories.models import Entity, Memory, Mention, Relation
from memories.normalisation import normalise


def entity_key(name: str) -> str:
    """What makes two names the same entity: NFKC, case and spacing do not count."""
    return normalise(name)[:255]


def add(memories: Sequence[tuple[Memory, tuple[str, ...]]], *, owner: UUID) -> None:
    """Index new memories: their triple and the entities named with them. The ledger must be locked."""
    names: dict[str, str] = {}
    for memory, entities in memories:
        for name in (*_ends(memory), *entities):
            names.setdefault(entity_key(name), name)
    names.pop("", None)
    if not names:
        return
    ids = _entity_ids(names, owner=owner)
    relations, mentions = [], []
    for memory, entities in memories:
        ends = [entity_key(name) for name in _ends(memory)]
        if len(ends) == 2 and all(key in ids for key in ends):  # noqa: PLR2004 - a subject and an object
            relations.append(
                Relation(
                    owner_id=owner,
                    memory_id=memory.pk,
                    subject_id=ids[ends[0]],
                    predicate=memory.predicate,
                    object_id=ids[ends[1]],
                )
            )
        keys = dict.fromkeys([*ends, *(entity_key(name) for name in entities)])
        mentions += [
            Mention(owner_id=owner, memory_id=memory.pk, entity_id=ids[key]) for key in keys if key in ids
        ]
    Relation.objects.bulk_create(relations)
    Mention.objects.bulk_create(mentions)


def drop_unmentioned(*, owner: UUID) -> int:
    """Delete entities that no memory speaks of any more; how many went."""
    spoken_of = Mention.objects.filter(owner_id=owner).values("entity_id")
    count, _ = Entity.objects.filter(owner_id=owner).exclude(id__in=spoken_of).delete()
    return count


def _ends(memory: Memory) -> tuple[str, ...]:
    """subject and object of a whole triple, else whichever of them there is."""
    return tuple(name for name in (memory.subject, memory.object) if name)


def _entity_ids(names: dict[str, str], *, owner: UUID) -> dict[str, UUID]:
    known = Entity.objects.filter(owner_id=owner, key__in=list(names)).values_list("key", "id")
    ids = dict(known)
    fresh = [
        Entity(owner_id=owner, name=name[:255], key=key) for key, name in names.items() if key not in ids
    ]
    Entity.objects.bulk_create(fresh)
    return ids | {entity.key: entity.pk for entity in fresh}
