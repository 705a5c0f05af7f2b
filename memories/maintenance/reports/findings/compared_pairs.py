"""Pairs of memories: those compared already, and the comparison of two texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar
from uuid import UUID

import structlog
from django.db.models import Q

from memories.models import LinkKind, Memory, MemoryLink
from memories.values import Status
from memories.writing import JUDGED

log = structlog.get_logger(__name__)

T = TypeVar("T")
Pair = tuple[UUID, UUID]

#: The metadata field for a person's decision: the ids of memories that are neither the same as this one nor
#: in conflict with it.
DISTINCT_FROM: Final = "kept_apart"


@dataclass(frozen=True, slots=True)
class ComparedPairs:
    """Pairs of memories, the older first.

    Attributes:
        disputed: Pairs that wait for a person's decision.
        judged: Pairs that a model judged to be two memories, not one.
    """

    disputed: frozenset[Pair]
    judged: frozenset[Pair]


def list_compared_pairs(*, owner: UUID) -> ComparedPairs:
    """Return the pairs that the owner's links of active and disputed memories hold. Makes one statement."""
    in_dispute = Q(kind=LinkKind.DISPUTES, memory__status=Status.DISPUTED, other__status=Status.DISPUTED)
    two = Q(kind=LinkKind.RELATED, reason=JUDGED, memory__status=Status.ACTIVE, other__status=Status.ACTIVE)
    rows = MemoryLink.objects.filter(in_dispute | two, owner_id=owner)
    found: dict[str, set[Pair]] = {LinkKind.DISPUTES: set(), LinkKind.RELATED: set()}
    for kind, one, other in rows.values_list("kind", "memory_id", "other_id"):
        found[kind].add(make_pair(one, other))
    return ComparedPairs(frozenset(found[LinkKind.DISPUTES]), frozenset(found[LinkKind.RELATED]))


def make_pair(one: UUID, other: UUID) -> Pair:
    """Return both ids, older first. Ids are ordered by time."""
    return (one, other) if one < other else (other, one)


def compare_pair(
    comparison: Callable[[str, str], T], pair: Pair, texts: Mapping[UUID, str], failed: set[Pair]
) -> T | None:
    """Return what a comparison says of two memories.

    An error in the comparison must not end the report: it is logged, the pair is added to `failed`, and the
    result is None.
    """
    try:
        return comparison(texts[pair[0]], texts[pair[1]])
    except Exception:
        log.exception("two memories could not be compared", memories=[str(memory) for memory in pair])
        failed.add(make_pair(*pair))
        return None


def join_pairs(pairs: Sequence[Pair]) -> list[tuple[UUID, ...]]:
    """Return disjoint sets of memories in which every two are a pair, in the order of the pairs."""
    partners: dict[UUID, set[UUID]] = {}
    for a, b in pairs:
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    home: dict[UUID, list[UUID]] = {}
    for a, b in pairs:
        left, right = home.setdefault(a, [a]), home.setdefault(b, [b])
        if left is not right and all(other in partners[one] for one in left for other in right):
            left += right
            home.update(dict.fromkeys(right, left))
    found = {id(members): members for members in home.values() if len(members) > 1}
    return [tuple(members) for members in found.values()]


def list_distinct_pairs(memory: UUID, others: object) -> Iterable[Pair]:
    """Yield the pairs that a memory's metadata keeps apart. Ignores anything that is not a list of ids."""
    for other in others if isinstance(others, list) else ():
        if isinstance(other, str):
            try:
                yield make_pair(memory, UUID(other))
            except ValueError:
                continue


def mark_distinct(memory: Memory, others: Iterable[UUID]) -> dict[str, list[str]]:
    """Return the metadata that keeps the memory apart from `others` too."""
    stored = memory.metadata.get(DISTINCT_FROM)
    stored_ids = [one for one in stored if isinstance(one, str)] if isinstance(stored, list) else []
    return {DISTINCT_FROM: list(dict.fromkeys([*stored_ids, *(str(other) for other in others)]))}
