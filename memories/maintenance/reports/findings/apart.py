"""Pairs that were looked at already: in dispute, or known to be two that get on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Q

from memories.models import LinkKind, Memory, MemoryLink, Status
from memories.writing import JUDGED

Pair = tuple[UUID, UUID]

#: The field of a memory's metadata in which a person's word stands: ids of those it is neither the same as
#: nor at odds with.
KEPT_APART: Final = "kept_apart"


@dataclass(frozen=True, slots=True)
class Known:
    """Pairs, the older first. disputed: wait for a person; judged: two by a model's word, not one."""

    disputed: frozenset[Pair]
    judged: frozenset[Pair]


def known_pairs(*, owner: UUID) -> Known:
    """What the owner's links say of memories that are recalled. One statement."""
    in_dispute = Q(kind=LinkKind.DISPUTES, memory__status=Status.DISPUTED, other__status=Status.DISPUTED)
    two = Q(kind=LinkKind.RELATED, reason=JUDGED, memory__status=Status.ACTIVE, other__status=Status.ACTIVE)
    rows = MemoryLink.objects.filter(in_dispute | two, owner_id=owner)
    found: dict[str, set[Pair]] = {LinkKind.DISPUTES: set(), LinkKind.RELATED: set()}
    for kind, one, other in rows.values_list("kind", "memory_id", "other_id"):
        found[kind].add(pair_of(one, other))
    return Known(frozenset(found[LinkKind.DISPUTES]), frozenset(found[LinkKind.RELATED]))


def pair_of(one: UUID, other: UUID) -> Pair:
    """Both, in the order of time, which is that of their ids."""
    return (one, other) if one < other else (other, one)


def kept_apart(memory: UUID, others: object) -> Iterable[Pair]:
    """The pairs that a memory's metadata keeps apart; what is no list of ids is passed over."""
    for other in others if isinstance(others, list) else ():
        if isinstance(other, str):
            try:
                yield pair_of(memory, UUID(other))
            except ValueError:
                continue


def apart_from(memory: Memory, others: Iterable[UUID]) -> dict[str, list[str]]:
    """The metadata that says so too of `others`, with what it says already."""
    said = memory.metadata.get(KEPT_APART)
    known = [one for one in said if isinstance(one, str)] if isinstance(said, list) else []
    return {KEPT_APART: list(dict.fromkeys([*known, *(str(other) for other in others)]))}
