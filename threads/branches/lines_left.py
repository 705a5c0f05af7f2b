"""Find what was learnt on abandoned branches only, to forget it or to keep it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from memories.storage import get_memories, learnt_from_alone, list_memories
from threads.models import Kept
from threads.visibility import reference_to


def to_take_back(message_ids: Collection[UUID], *, owner: UUID) -> list[UUID]:
    """Return memories learnt from these messages alone, oldest first, unless forgotten, retired or kept."""
    found = learnt_from_alone([reference_to(message_id) for message_id in message_ids], owner=owner)
    kept = Kept.objects.filter(owner_id=owner, memory_id__in=found).values("memory_id")
    rows = list_memories(owner=owner).filter(id__in=found, forgotten_at=None, retired_at=None)
    return list(rows.exclude(id__in=kept).order_by("created_at", "id").values_list("id", flat=True))


def keep(memory_ids: Sequence[UUID], *, owner: UUID, wish: bool = True) -> None:
    """Keep memories visible in other threads even if their branch is abandoned.

    Args:
        wish: False stops keeping them.

    Raises:
        NotFound: If a memory is not the owner's.
    """
    get_memories(memory_ids, owner=owner)
    if wish:
        rows = [Kept(owner_id=owner, memory_id=memory_id) for memory_id in dict.fromkeys(memory_ids)]
        Kept.objects.bulk_create(rows, ignore_conflicts=True)
    else:
        Kept.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).delete()
