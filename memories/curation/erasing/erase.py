"""Erase every wording of a memory, and everything derived from it that can be reached.

The bytes of rows remain in the data files for a while: see `memories.maintenance.forgetting.scrubbing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memories import ports
from memories.curation.erasing.lineage import (
    list_copies,
    list_derived,
    list_summaries,
    list_wordings,
    walk_wordings,
)
from memories.models import (
    Erasure,
    Event,
    Memory,
    MemoryAccess,
    MemoryEmbedding,
    MemoryLink,
    MemorySource,
    Mention,
    Relation,
    SentenceVector,
)
from memories.retrieval import index_cache
from memories.storage import WriteBatch, get_memory, graph_index, open_batch
from memories.text import compute_erasure_digest
from memories.values import Status
from memories.writing import conflicts
from memsite.errors import NotFound
from memsite.jobs import enqueue

#: What no statement reaches at once; listed on every receipt.
NOT_REACHED = (
    "the database's record of recent changes, until it is overwritten, mostly within hours",
    "emptied places in the data files, until they are cleaned, which follows by itself",
    "search indexes that are still in memory, until your next search",
    "backups made earlier",
    "the messages it came from, until you delete them",
)
#: The task that rewrites the data files, and how long it waits for further erasures.
SCRUB: Final = "memories.tasks.scrub"
SCRUB_AFTER: Final = 10.0  # seconds
#: The most memories, besides their other wordings, that one transaction erases.
AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of an erasure: the number of deleted rows by table, and the copies that remain."""

    memory_ids: tuple[UUID, ...]
    erased: dict[str, int]
    erased_at: datetime
    not_reached: tuple[str, ...] = field(default=NOT_REACHED)


def erase_memory(memory_id: str | UUID, *, owner: UUID, actor: str, with_derived: bool = False) -> Receipt:
    """Erase a memory with all its wordings and everything derived from it.

    That is vectors, terms, graph, sources, citations, summaries made from it, the episodes that mirror the
    messages it was learnt from, and what events say about it.
    Keyed hashes remain, so that no sweep or import restores it.

    Args:
        memory_id: The memory.
        owner: The owner.
        actor: Who erases.
        with_derived: Whether to erase also what was learnt or concluded only from it.

    Raises:
        NotFound: If the owner has no such memory.
    """
    with open_batch(owner=owner, actor=actor, reason="erased") as batch:
        chain = set(list_wordings(get_memory(memory_id, owner=owner).pk, owner=owner))
        if with_derived:
            for derived in list_derived(chain | list_summaries(chain, owner=owner), owner=owner):
                chain |= set(list_wordings(derived, owner=owner))
        chain |= list_copies(chain, owner=owner)
        counts = erase_rows(sorted(chain), batch)
    return Receipt(tuple(sorted(chain)), counts, batch.now)


def erase_memories(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Receipt:
    """Erase memories with all their wordings and everything derived from them, as `erase_memory` does.

    At most 200 are erased in one transaction. If the process ends in between, those that were erased by then
    stay erased.

    Raises:
        NotFound: If any is missing; then nothing is erased.
    """
    wanted = list(dict.fromkeys(memory_ids))
    if Memory.objects.filter(owner_id=owner, id__in=wanted).count() != len(wanted):
        raise NotFound("There is no such memory.")
    erased: set[UUID] = set()
    counts: Counter[str] = Counter()
    now = timezone.now()
    for start in range(0, len(wanted), AT_ONCE):
        some = set(wanted[start : start + AT_ONCE]) - erased
        with open_batch(owner=owner, actor=actor, reason="erased") as batch:
            chain = walk_wordings(some, owner=owner)
            chain |= list_copies(chain, owner=owner)
            counts.update(erase_rows(sorted(chain), batch))
        erased |= chain
        now = batch.now
    return Receipt(tuple(sorted(erased)), dict(counts), now)


def erase_rows(memory_ids: Sequence[UUID], batch: WriteBatch) -> dict[str, int]:
    """Erase these rows and everything that refers to them, within a batch. Return the row counts by name."""
    owner, ids = batch.owner, list(memory_ids)
    counts = {"memories": len(ids)} | _list_derived_rows(ids, owner=owner)
    _leave_digests(ids, owner=owner)
    conflicts.settle_disputes(
        Memory.objects.filter(owner_id=owner, id__in=ids, status=Status.DISPUTED), batch
    )
    counts["events"] = Event.objects.filter(owner_id=owner, memory_id__in=ids).update(before=None)
    counts |= ports.on_erase(ids, owner=owner)
    mentions = Mention.objects.filter(owner_id=owner, memory_id__in=ids)
    named = set(mentions.values_list("entity_id", flat=True))
    Memory.objects.filter(owner_id=owner, id__in=ids)._raw_delete("default")  # noqa: SLF001 - one statement, no collecting
    counts["entities"] = graph_index.drop_unmentioned(owner=owner, among=named)
    for memory_id in ids:
        batch.note_deleted(memory_id)
    enqueue(SCRUB, unique_key="scrub", delay=SCRUB_AFTER, timeout=600)
    transaction.on_commit(partial(index_cache().drop, owner))
    return counts


def _list_derived_rows(ids: list[UUID], *, owner: UUID) -> dict[str, int]:
    """Count the rows that the database deletes by its constraints, by their names on a receipt."""
    tables: dict[str, QuerySet[Any]] = {
        "embeddings": MemoryEmbedding.objects.filter(owner_id=owner),
        "sentence_vectors": SentenceVector.objects.filter(owner_id=owner),
        "sources": MemorySource.objects.filter(owner_id=owner),
        "links": MemoryLink.objects.filter(owner_id=owner),
        "relations": Relation.objects.filter(owner_id=owner),
        "mentions": Mention.objects.filter(owner_id=owner),
        "accesses": MemoryAccess.objects.filter(owner_id=owner),
    }
    return {name: rows.filter(memory_id__in=ids).count() for name, rows in tables.items()}


def _leave_digests(ids: list[UUID], *, owner: UUID) -> None:
    key = settings.SECRET_KEY
    rows = Memory.objects.filter(owner_id=owner, id__in=ids).values_list("fingerprint", flat=True)
    digests = {compute_erasure_digest(key, bytes(fingerprint)) for fingerprint in rows}
    sources = MemorySource.objects.filter(owner_id=owner, memory_id__in=ids)
    for fingerprint, reference in sources.values_list("fingerprint", "reference"):
        digests.add(compute_erasure_digest(key, bytes(fingerprint), reference))
    Erasure.objects.bulk_create(
        [Erasure(owner_id=owner, digest=digest) for digest in digests], ignore_conflicts=True
    )
