"""Access to one memory of an owner. A memory of another owner raises the same NotFound as a missing one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

from django.db.models import CharField
from django.db.models.functions import Cast, Right

from memories.models import Memory
from memories.storage.queries import add_links
from memsite.errors import NotFound
from memsite.values import parse_id

#: Hexadecimal digits at the end of an id by which programs name a memory. They are random: two of 10,000
#: memories share them once in a hundred owners, and are then named by their whole ids.
ENDING_DIGITS: Final = 8


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


def find_by_endings(endings: Collection[str], *, owner: UUID) -> dict[str, list[UUID]]:
    """Return the owner's memories whose ids end with these digits, by ending. Makes one query.

    Args:
        endings: Texts of ENDING_DIGITS lower-case hexadecimal digits.
        owner: The owner.
    """
    ending = Right(Cast("id", CharField()), ENDING_DIGITS)
    rows = Memory.objects.filter(owner_id=owner).annotate(ending=ending).filter(ending__in=list(endings))
    found: dict[str, list[UUID]] = {}
    for text, memory_id in rows.values_list("ending", "id"):
        found.setdefault(text, []).append(memory_id)
    return found
