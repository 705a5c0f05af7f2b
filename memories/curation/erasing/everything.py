"""Erase everything that long-term memory holds of a person, some of it at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from memories.curation.erasing.erase import AT_ONCE, NOT_REACHED, erase_rows
from memories.models import (
    Entity,
    Erasure,
    Event,
    GivenMessages,
    GraphRebuild,
    Memory,
    Reflection,
    Renormalisation,
    Report,
)
from memories.storage import open_batch

ACTOR: Final = "deletion"
#: Copies that no statement reaches at once when everything is deleted, messages included.
UNREACHABLE: Final = tuple(place for place in NOT_REACHED if not place.startswith("the messages"))
_ROWS: Final = 5_000  # of the rest, deleted by one statement


def count_stored_memories(*, owner: UUID) -> dict[str, int]:
    """Return the number of a person's memories, whatever their status."""
    return {"memories": Memory.objects.filter(owner_id=owner).count()}


def erase_some_memories(*, owner: UUID) -> Mapping[str, int]:
    """Erase at most 200 of a person's memories, then their history and all else that refers to none.

    Returns:
        How many rows, by name; nothing when nothing is left.
    """
    rows = Memory.objects.filter(owner_id=owner).order_by("id")
    ids = list(rows.values_list("id", flat=True)[:AT_ONCE])
    if not ids:
        return _erase_rest(owner=owner)
    with open_batch(owner=owner, actor=ACTOR, reason="erased") as batch:
        erased = erase_rows(ids, batch)
    # their events are emptied here, and deleted and counted at the end
    return {name: count for name, count in erased.items() if count and name != "events"}


def _erase_rest(*, owner: UUID) -> Mapping[str, int]:
    """Erase some of what is left when no memory is. Counters stay: what reads them must not go back."""
    for name, rows in _list_rest(owner):
        ids = list(rows.values_list("pk", flat=True)[:_ROWS])
        deleted, _by_table = rows.filter(pk__in=ids).delete() if ids else (0, {})
        if deleted:
            return {name: deleted}
    return {}


def _list_rest(owner: UUID) -> tuple[tuple[str, QuerySet[Any]], ...]:
    """Return rows that refer to no memory, by their name on a receipt."""
    return (
        ("history", Event.objects.filter(owner_id=owner)),
        ("keyed hashes", Erasure.objects.filter(owner_id=owner)),
        ("entities", Entity.objects.filter(owner_id=owner)),
        ("reports", Report.objects.filter(owner_id=owner)),
        ("other rows", Reflection.objects.filter(owner_id=owner)),
        ("other rows", GivenMessages.objects.filter(owner_id=owner)),
        ("other rows", Renormalisation.objects.filter(owner_id=owner)),
        ("other rows", GraphRebuild.objects.filter(owner_id=owner)),
    )
