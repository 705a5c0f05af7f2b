"""Rebuild an owner's graph from the memories. A stopped rebuild continues where it was."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memories.models import GraphRebuild, Memory
from memories.storage.events import lock_ledger
from memories.storage.graph import graph_index
from memsite.serving.postgres import across_owners

#: Memories per transaction; other writers of the owner wait that long.
CHUNK: Final = 500


@across_owners()
def list_owners_with_memories() -> list[UUID]:
    """Return all owners with memories. Across owners: for the command only."""
    rows = Memory.objects.order_by("owner_id").values_list("owner_id", flat=True)
    return list(rows.distinct())


def count_memories_left(*, owner: UUID, again: bool = False) -> int:
    """Return how many memories a rebuild would still process: all with `again` or after a change of rules."""
    return _left(_begun(owner=owner, again=again), owner=owner).count()


def rebuild_graph(*, owner: UUID, again: bool = False) -> Generator[int, None, None]:
    """Rebuild the graph chunk by chunk, each in its own transaction.

    It continues after an interrupted run, and does nothing after a finished run with the same rules; `again`
    starts from the beginning. Entities without mentions are deleted at the end.

    Yields:
        The number of memories in each chunk.
    """
    start = _begun(owner=owner, again=again)
    _note(start, owner=owner)
    while start is None or not start.finished:
        with transaction.atomic():
            lock_ledger(owner=owner)
            rows = list(_left(start, owner=owner).order_by("id")[:CHUNK])
            graph_index.reindex_memories(rows, owner=owner)
            start = GraphRebuild(through=rows[-1].pk if rows else None, rules=graph_index.RULES)
            start.finished = len(rows) < CHUNK
            if start.finished:
                graph_index.drop_unmentioned(owner=owner)
            _note(start, owner=owner)
        yield len(rows)


def _begun(*, owner: UUID, again: bool) -> GraphRebuild | None:
    stored = GraphRebuild.objects.filter(owner_id=owner, rules=graph_index.RULES).first()
    return None if again else stored


def _left(start: GraphRebuild | None, *, owner: UUID) -> QuerySet[Memory]:
    rows = Memory.objects.filter(owner_id=owner)
    if start is None or (start.through is None and not start.finished):
        return rows
    return rows.none() if start.finished or start.through is None else rows.filter(id__gt=start.through)


def _note(state: GraphRebuild | None, *, owner: UUID) -> None:
    GraphRebuild.objects.update_or_create(
        owner_id=owner,
        defaults={
            "through": state.through if state else None,
            "finished": bool(state and state.finished),
            "rules": graph_index.RULES,
            "updated_at": timezone.now(),
        },
    )
