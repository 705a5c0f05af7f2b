"""Erasing for good: every wording of a memory, and everything made from it that can be reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memories import graph_index, ports
from memories.access import get_memory
from memories.models import Erasure, Event, Memory, MemoryEmbedding, MemoryLink, MemorySource
from memories.models.link import LinkKind
from memories.similarity import erasure_digest
from memories.store import Writing, writing

#: What no statement reaches at once, named on every receipt.
NOT_REACHED = (
    "PostgreSQL's write-ahead log, until it is recycled",
    "dead rows in the data files, until VACUUM",
    "backups made earlier",
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an erasure took, by table, and what it could not reach."""

    memory_ids: tuple[UUID, ...]
    erased: dict[str, int]
    erased_at: datetime
    not_reached: tuple[str, ...] = field(default=NOT_REACHED)


def erase(memory_id: str | UUID, *, owner: UUID, actor: str) -> Receipt:
    """Erase a memory in all its wordings, with vectors, terms, graph, sources, citations and the
    events' record of its fields. Keyed hashes stay, so that no sweep or import brings it back.

    Memories derived from it stay. Raises NotFound.
    """
    with writing(owner=owner, actor=actor, reason="erased") as batch:
        chain = wordings(get_memory(memory_id, owner=owner).pk, owner=owner)
        counts = _count(chain, owner=owner)
        _leave_digests(chain, owner=owner)
        counts["events"] = Event.objects.filter(owner_id=owner, memory_id__in=chain).update(before=None)
        counts |= ports.on_erase(chain, owner=owner)
        # The database's own constraints take embeddings, sources, links, accesses, graph rows along.
        Memory.objects.filter(owner_id=owner, id__in=chain)._raw_delete("default")  # noqa: SLF001 - one statement, no collecting
        counts["entities"] = graph_index.drop_unmentioned(owner=owner)
        _note(batch, chain)
    return Receipt(tuple(chain), counts, batch.now)


def wordings(memory_id: UUID, *, owner: UUID) -> list[UUID]:
    """The memory and all it superseded or was superseded by, however far."""
    chain, frontier = {memory_id}, {memory_id}
    while frontier:
        pairs = MemoryLink.objects.filter(
            Q(memory_id__in=frontier) | Q(other_id__in=frontier),
            owner_id=owner,
            kind=LinkKind.SUPERSEDES,
        ).values_list("memory_id", "other_id")
        frontier = {end for pair in pairs for end in pair} - chain
        chain |= frontier
    return sorted(chain)


def _count(chain: list[UUID], *, owner: UUID) -> dict[str, int]:
    embeddings = MemoryEmbedding.objects.filter(owner_id=owner, memory_id__in=chain)
    sources = MemorySource.objects.filter(owner_id=owner, memory_id__in=chain)
    return {"memories": len(chain), "embeddings": embeddings.count(), "sources": sources.count()}


def _leave_digests(chain: list[UUID], *, owner: UUID) -> None:
    key = settings.SECRET_KEY
    rows = Memory.objects.filter(owner_id=owner, id__in=chain).values_list("fingerprint", flat=True)
    digests = {erasure_digest(key, bytes(fingerprint)) for fingerprint in rows}
    sources = MemorySource.objects.filter(owner_id=owner, memory_id__in=chain)
    for fingerprint, reference in sources.values_list("fingerprint", "reference"):
        digests.add(erasure_digest(key, bytes(fingerprint), reference))
    Erasure.objects.bulk_create(
        [Erasure(owner_id=owner, digest=digest) for digest in digests], ignore_conflicts=True
    )


def _note(batch: Writing, chain: list[UUID]) -> None:
    for memory_id in chain:
        batch.note_deleted(memory_id)
