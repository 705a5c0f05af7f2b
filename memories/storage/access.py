"""Access to one memory of an owner. A memory of another owner raises the same NotFound as a missing one."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memories.models import Memory
from memories.storage.queries import add_links
from memsite.errors import NotFound
from memsite.values import parse_id


def get_memory(memory_id: str | UUID, *, owner: UUID, links: bool = False) -> Memory:
    """Return the owner's memory of this id, whatever its status, in one query.

    Args:
        memory_id: The id; an invalid one is not found.
        owner: The owner.
        links: Whether to add `source_references` and `superseded_ids` (see `queries.add_links`).

    Raises:
        NotFound: If the owner has no such memory.
    """
    identifier = memory_id if isinstance(memory_id, UUID) else parse_id(memory_id)
    rows = Memory.objects.filter(owner_id=owner)
    if links:
        rows = add_links(rows)
    found = rows.filter(id=identifier).first() if identifier is not None else None
    if found is None:
        raise NotFound("There is no such memory.")
    return found


def get_memories(memory_ids: Sequence[UUID], *, owner: UUID) -> list[Memory]:
    """Return the owner's memories of these ids, in their order.

    Raises:
        NotFound: If any is missing.
    """
    found = Memory.objects.filter(owner_id=owner).in_bulk(list(memory_ids))
    missing = [str(memory_id) for memory_id in memory_ids if memory_id not in found]
    if missing:
        raise NotFound("There is no such memory.", {"ids": missing})
    return [found[memory_id] for memory_id in dict.fromkeys(memory_ids)]
