"""Find related memories: the wordings of one memory, and what was derived from others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final
from uuid import UUID

from django.db import connection

from memories.models import LinkKind, Memory, MemoryLink, MemorySource
from memories.values import Kind, Layer

#: Episodes that share a source at most to mirror it.
_MOST_MIRRORS: Final = 12
#: The rows reached from given ones along "supersedes", in both directions. UNION ends the walk at known rows.
_WORDINGS: Final = """
WITH RECURSIVE chain AS (
    SELECT unnest(%(ids)s::uuid[]) AS id
    UNION
    SELECT next.id FROM chain CROSS JOIN LATERAL (
        SELECT k.other_id AS id FROM memories_memorylink AS k
        WHERE k.owner_id = %(owner)s AND k.memory_id = chain.id AND k.kind = 'supersedes'
        UNION ALL
        SELECT k.memory_id FROM memories_memorylink AS k
        WHERE k.owner_id = %(owner)s AND k.other_id = chain.id AND k.kind = 'supersedes'
    ) AS next
)
SELECT id FROM chain
"""


def list_wordings(memory_id: UUID, *, owner: UUID) -> list[UUID]:
    """Return the memory and all its predecessors and successors, at any distance."""
    return sorted(walk_wordings({memory_id}, owner=owner))


def walk_wordings(memory_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return the memories and all their predecessors and successors, at any distance. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_WORDINGS, {"ids": list(memory_ids), "owner": owner})
        return {memory_id for (memory_id,) in cursor.fetchall()}


def list_earlier_wordings(memory_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return the wordings of these memories before they were edited, corrected or merged, at any distance.

    A predecessor that ended because the world changed is a separate memory and is not included.
    """

    def before(frontier: set[UUID], owner: UUID) -> set[UUID]:
        links = MemoryLink.objects.filter(owner_id=owner, memory_id__in=frontier, kind=LinkKind.SUPERSEDES)
        retired = Memory.objects.filter(owner_id=owner, id__in=links.values("other_id"), ended_at=None)
        return set(retired.exclude(retired_at=None).values_list("id", flat=True))

    return _walk(set(memory_ids), before, owner=owner) - set(memory_ids)


def list_derived(memory_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return what was derived only from these memories, at any distance, without the memories themselves.

    That includes what was learnt from the very messages that these episodes mirror and from no other.
    """

    def onwards(frontier: set[UUID], owner: UUID) -> set[UUID]:
        return _list_derived_alone(given | frontier, owner=owner) | _list_learnt_alone(
            given | frontier, owner=owner
        )

    given = set(memory_ids)
    return _walk(given, onwards, owner=owner) - set(memory_ids)


def list_summaries(ids: set[UUID], *, owner: UUID) -> set[UUID]:
    """Return the summaries made from any of these memories, because they repeat their content."""

    def summing_up(frontier: set[UUID], owner: UUID) -> set[UUID]:
        links = MemoryLink.objects.filter(owner_id=owner, other_id__in=frontier, kind=LinkKind.DERIVED_FROM)
        rows = Memory.objects.filter(owner_id=owner, id__in=links.values("memory_id"), kind=Kind.SUMMARY)
        return set(rows.values_list("id", flat=True))

    return _walk(ids, summing_up, owner=owner) - ids


def list_copies(ids: set[UUID], *, owner: UUID, pinned: bool = True) -> set[UUID]:
    """Return what repeats these memories: the episodes that mirror their messages, and summaries.

    A source that more than _MOST_MIRRORS episodes share is a document, and none of them mirrors it.

    Args:
        ids: The memories.
        owner: The owner.
        pinned: Whether episodes that a person pinned are among them.
    """
    sources = MemorySource.objects.filter(owner_id=owner)
    learnt = sources.filter(memory_id__in=ids).exclude(memory__layer=Layer.EPISODIC)
    references = set(learnt.values_list("reference", flat=True))
    mirrors = sources.filter(reference__in=references, memory__layer=Layer.EPISODIC)
    if not pinned:
        mirrors = mirrors.filter(memory__pinned=False)
    by_reference: dict[str, set[UUID]] = {}
    for reference, memory in mirrors.values_list("reference", "memory_id"):
        by_reference.setdefault(reference, set()).add(memory)
    found = set[UUID]().union(*(some for some in by_reference.values() if len(some) <= _MOST_MIRRORS)) - ids
    return found | list_summaries(ids | found, owner=owner)


def _walk(start: set[UUID], step: Callable[[set[UUID], UUID], set[UUID]], *, owner: UUID) -> set[UUID]:
    """Return everything reached by repeating the step until it finds nothing new."""
    found, frontier = set(start), set(start)
    while frontier:
        frontier = step(frontier, owner) - found
        found |= frontier
    return found


def _list_derived_alone(ids: set[UUID], *, owner: UUID) -> set[UUID]:
    links = MemoryLink.objects.filter(owner_id=owner, kind=LinkKind.DERIVED_FROM)
    derived = set(links.filter(other_id__in=ids).values_list("memory_id", flat=True))
    others = links.filter(memory_id__in=derived).exclude(other_id__in=ids)
    return derived - set(others.values_list("memory_id", flat=True))


def _list_learnt_alone(ids: set[UUID], *, owner: UUID) -> set[UUID]:
    episodes = Memory.objects.filter(owner_id=owner, id__in=ids, layer=Layer.EPISODIC)
    sources = MemorySource.objects.filter(owner_id=owner)
    references = set(sources.filter(memory_id__in=episodes.values("id")).values_list("reference", flat=True))
    learnt = set(sources.filter(reference__in=references).values_list("memory_id", flat=True))
    others = sources.filter(memory_id__in=learnt).exclude(reference__in=references)
    return learnt - set(others.values_list("memory_id", flat=True))
