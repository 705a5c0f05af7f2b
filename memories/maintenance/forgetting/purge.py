"""Erase memories that have been forgotten for a year, with their earlier wordings.

What a person forgot is erased with the episodes of the messages that taught it, which nothing would keep out
of a search any more. Those that the person pinned stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from memories.conf import FORGETTING
from memories.curation import erase_rows, list_copies, list_earlier_wordings
from memories.maintenance.forgetting.set_changes import SCHEDULE
from memories.models import LinkKind, Memory, MemoryLink
from memories.storage import WriteBatch, open_batch
from memories.values import Writer
from memsite.serving.postgres import across_owners, acting_for

#: Memories erased in one transaction.
_AT_ONCE: Final = 500

_FIND: Final = """
SELECT owner_id, array_agg(id) FROM memories_memory
WHERE forgotten_at < %(before)s GROUP BY owner_id ORDER BY owner_id
"""


@dataclass(frozen=True, slots=True)
class PurgeBatch:
    """One owner's memories that have been forgotten for long enough."""

    owner: UUID
    memory_ids: list[UUID]


def purge_forgotten(now: datetime | None = None) -> int:
    """Erase what was forgotten over 365 days ago, and return the number of rows, earlier wordings included.

    An interrupted run is repeated: it finds what is left.
    """
    before = (now or timezone.now()) - timedelta(days=FORGETTING.erased_days)
    return sum(_purge(outdated, before) for outdated in find_outdated(before))


@across_owners()
def find_outdated(before: datetime) -> list[PurgeBatch]:
    """Return what was forgotten before a moment, by owner. Across owners: for the schedule only."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND, {"before": before})
        return [PurgeBatch(*row) for row in cursor.fetchall()]


def _purge(outdated: PurgeBatch, before: datetime) -> int:
    gone = 0
    for start in range(0, len(outdated.memory_ids), _AT_ONCE):
        chosen = outdated.memory_ids[start : start + _AT_ONCE]
        owner = outdated.owner
        with acting_for(owner), open_batch(owner=owner, actor=SCHEDULE, reason="purged") as batch:
            ids = _whole(chosen, before, owner=owner)
            if ids:
                ids |= _list_copies(ids, owner=owner)
                _bridge(ids, batch)
                erase_rows(sorted(ids), batch)
            gone += len(ids)
    return gone


def _whole(memory_ids: Iterable[UUID], before: datetime, *, owner: UUID) -> set[UUID]:
    """Return those still forgotten for so long, and their earlier wordings without another successor."""
    rows = Memory.objects.filter(owner_id=owner, id__in=list(memory_ids), forgotten_at__lt=before)
    due = set(rows.values_list("id", flat=True))
    ids = due | list_earlier_wordings(due, owner=owner)
    while True:
        followed = _links(owner).filter(other_id__in=ids - due).exclude(memory_id__in=ids)
        kept = set(followed.values_list("other_id", flat=True))
        if not kept:
            return ids
        ids -= kept


def _list_copies(ids: set[UUID], *, owner: UUID) -> set[UUID]:
    by_person = Memory.objects.filter(owner_id=owner, id__in=ids, forgotten_by=Writer.PERSON)
    return list_copies(set(by_person.values_list("id", flat=True)), owner=owner, pinned=False)


def _bridge(ids: set[UUID], batch: WriteBatch) -> None:
    """Link the successors of these rows to their predecessors, so that a chain stays connected.

    A predecessor keeps the reason why it was replaced.
    """
    after: dict[UUID, set[UUID]] = {}
    prior: dict[UUID, set[UUID]] = {}
    why: dict[UUID, str] = {}
    earlier = _links(batch.owner).filter(memory_id__in=ids).order_by("created_at", "id")
    for memory, other, reason in earlier.values_list("memory_id", "other_id", "reason"):
        prior.setdefault(memory, set()).add(other)
        why[other] = reason
    for memory, other in _links(batch.owner).filter(other_id__in=ids).values_list("memory_id", "other_id"):
        after.setdefault(other, set()).add(memory)
    bridges: set[tuple[UUID, UUID]] = set()
    for end in {one for group in after.values() for one in group} - ids:
        bridges |= {(end, other) for other in _beyond(end, ids, after, prior) - ids}
    MemoryLink.objects.bulk_create(
        [
            MemoryLink(
                owner_id=batch.owner,
                memory_id=memory,
                other_id=other,
                kind=LinkKind.SUPERSEDES,
                reason=why[other],
            )
            for memory, other in bridges
        ],
        ignore_conflicts=True,
    )


def _beyond(
    end: UUID, ids: set[UUID], after: dict[UUID, set[UUID]], prior: dict[UUID, set[UUID]]
) -> set[UUID]:
    """Return what is reached from `end` by following predecessors only through rows of `ids`."""
    frontier = {one for one in ids if end in after.get(one, ())}
    found: set[UUID] = set()
    while frontier:
        found |= frontier
        frontier = {other for one in frontier & ids for other in prior.get(one, ())} - found
    return found


def _links(owner: UUID) -> QuerySet[MemoryLink]:
    return MemoryLink.objects.filter(owner_id=owner, kind=LinkKind.SUPERSEDES)
