"""Collect garbage on request: forget old or unused memories of a layer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils import timezone

from memories.conf import GC
from memories.maintenance.forgetting import verdicts
from memories.maintenance.forgetting.set_changes import (
    MOST_NAMED,
    apply_change,
    list_matching,
    make_forgetting,
)
from memories.storage import usage
from memories.values import Layer

REASON: Final = "gc"

_COLLECTED: Final = f"""m.layer = ANY(%(layers)s) AND {verdicts.RECALLED}
    AND NOT m.pinned AND m.lifespan <> 'core'
    AND m.created_at < {verdicts.NOW} - make_interval(days => %(safe_days)s)
    AND (m.created_at < {verdicts.NOW} - make_interval(days => %(max_age_days)s)
        OR m.access_count < %(min_access_count)s)
    AND (%(ids)s::uuid[] IS NULL OR m.id = ANY(%(ids)s::uuid[]))"""


@dataclass(frozen=True, slots=True)
class CollectionResult:
    """The memories that were, or would be, forgotten.

    Attributes:
        memory_ids: The oldest 1,000 of them.
        batch_id: The id by which the batch can be undone; None after a dry run or without changes.
    """

    count: int
    memory_ids: tuple[UUID, ...]
    batch_id: UUID | None
    warnings: tuple[str, ...]


def collect_garbage(
    *,
    owner: UUID,
    actor: str,
    layers: Sequence[Layer] = (Layer.EPISODIC,),
    max_age_days: int = GC.max_age_days,
    min_access_count: int = GC.min_access_count,
    ids: Collection[UUID] | None = None,
    dry_run: bool = False,
) -> CollectionResult:
    """Forget the memories of these layers that are old *or* rarely used.

    It never forgets memories within 7 days of creation, `core` memories, pinned ones, or those that wait for
    a person's decision.

    Args:
        owner: The owner.
        actor: Who asks for it.
        layers: The layers.
        max_age_days: Older memories are forgotten.
        min_access_count: Memories with fewer accesses are forgotten.
        ids: If given, no other memories than these are forgotten.
        dry_run: Whether only to return what would be forgotten.
    """
    now = timezone.now()
    usage.roll_up_accesses(owner=owner)
    parameters = {
        "layers": list(layers),
        "max_age_days": max_age_days,
        "min_access_count": min_access_count,
        "safe_days": GC.safe_days,
        "ids": None if ids is None else list(ids),
    }
    warnings = tuple(_warning(layer) for layer in layers if layer != Layer.EPISODIC)
    if dry_run:
        found = list_matching(_COLLECTED, parameters, owner=owner, now=now)
        return CollectionResult(len(found), tuple(found[:MOST_NAMED]), None, warnings)
    swept = apply_change(make_forgetting(REASON), _COLLECTED, parameters, owner=owner, now=now, actor=actor)
    return CollectionResult(swept.count, swept.memory_ids, swept.batch_id, warnings)


def _warning(layer: Layer) -> str:
    return (
        f"{layer} memories are knowledge, not a log: old and unused ones may still be true. "
        "Look at a dry run first."
    )
