"""Choose which neighbours the rings of a picture show; the rest becomes "+37 more" for each predicate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memories.pages.graph.relation_list import Statement, StatementGroup
from memories.storage import EntityName, EntityRelation

#: The most marks in the first ring, those for left out neighbours included: alone, and with a second ring.
_MOST_ALONE: Final = 40
_MOST_INNER: Final = 24
#: The most marks in the second ring, and of one neighbour.
_MOST_OUTER: Final = 60
_MOST_OF_ONE: Final = 6


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A neighbour in a ring, with the statements that link it to the entity inside of it."""

    entity: EntityName
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Neighbours that a ring has no room for.

    Attributes:
        groups: Their groups; one, except for the mark that represents several predicates.
        url: The list that holds them.
    """

    count: int
    groups: tuple[StatementGroup, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Rings:
    """The entities and relations that a picture shows.

    Attributes:
        inner: The first ring, in order: the neighbours of one predicate beside each other.
        outer: The second ring, by the neighbour of the first from which it is reached.
        links: Pairs of neighbours with a relation that the rings do not show, and its words.
    """

    start: EntityName
    inner: tuple[Neighbour | LeftOut, ...]
    outer: Mapping[UUID, tuple[Neighbour, ...]]
    links: tuple[Statement, ...]

    @property
    def neighbours(self) -> list[Neighbour]:
        """The neighbours of the first ring."""
        return [one for one in self.inner if isinstance(one, Neighbour)]


def choose_inner(groups: Sequence[StatementGroup], *, hops: int) -> tuple[Neighbour | LeftOut, ...]:
    """Return the first ring: as many neighbours of each predicate as there is room for, evenly shared."""
    most = _MOST_ALONE if hops == 1 else _MOST_INNER
    fresh = _list_fresh(groups)
    room = _share_room([len(one) for one in fresh], most)
    by_entity: dict[UUID, list[Statement]] = {}
    for group in groups:
        for statement in group.statements:
            by_entity.setdefault(statement.far.id, []).append(statement)
    ring: list[Neighbour | LeftOut] = []
    crowded: list[tuple[StatementGroup, int]] = []
    for group, members, shown in zip(groups, fresh, room, strict=True):
        ring += [Neighbour(one.far, tuple(by_entity[one.far.id])) for one in members[:shown]]
        left = len(members) - shown
        if left and shown:
            ring.append(LeftOut(left, (group,), group.url))
        elif left:
            crowded.append((group, left))
    if crowded:
        ring.append(LeftOut(sum(left for _, left in crowded), tuple(one for one, _ in crowded), "#relations"))
    return tuple(ring)


def add_further(
    start: EntityName,
    inner: tuple[Neighbour | LeftOut, ...],
    relations: Sequence[EntityRelation],
    names: Mapping[UUID, EntityName],
) -> Rings:
    """Return the rings with the relations of the first ring's neighbours: a second ring, and links."""
    ring = {one.entity.id: one.entity for one in inner if isinstance(one, Neighbour)}
    most = min(_MOST_OF_ONE, max(2, _MOST_OUTER // max(1, len(ring))))
    reached: dict[UUID, dict[UUID, list[EntityRelation]]] = {}
    taken: dict[UUID, UUID] = {}
    links: dict[frozenset[UUID], Statement] = {}
    for one in relations:
        origin, far = (one.subject, one.object) if one.subject in ring else (one.object, one.subject)
        if far in ring:
            pair = frozenset({origin, far})
            links.setdefault(
                pair, Statement(ring[origin], one.predicate, ring[far], origin == one.subject, (one,))
            )
        elif taken.setdefault(far, origin) == origin:
            reached.setdefault(origin, {}).setdefault(far, []).append(one)
    outer = {
        origin: tuple(
            _make_neighbour(ring[origin], names[far], stated) for far, stated in list(found.items())[:most]
        )
        for origin, found in reached.items()
    }
    return Rings(start, inner, outer, tuple(links.values()))


def _make_neighbour(origin: EntityName, far: EntityName, relations: Sequence[EntityRelation]) -> Neighbour:
    return Neighbour(
        far,
        tuple(Statement(origin, one.predicate, far, one.subject == origin.id, (one,)) for one in relations),
    )


def _list_fresh(groups: Sequence[StatementGroup]) -> list[list[Statement]]:
    """Return the statements of each group whose neighbour no earlier group has."""
    seen: set[UUID] = set()
    fresh = []
    for group in groups:
        members = [one for one in group.statements if one.far.id not in seen]
        seen.update(one.far.id for one in members)
        fresh.append(members)
    return fresh


def _share_room(sizes: Sequence[int], most: int) -> list[int]:
    """Return how many members of each group are shown, so that at most `most` marks are needed.

    A group that is not shown whole needs a mark for its rest; groups without any member share one mark.

    Args:
        sizes: The numbers of members.
        most: The most marks, 2 or more.
    """
    if sum(sizes) <= most:
        return list(sizes)
    share = next((share for share in range(max(sizes), 0, -1) if _count_marks(sizes, share) <= most), 0)
    if share:
        return [_cut(size, share) for size in sizes]
    left, shown = most - 1, []
    for size in sizes:
        marks = min(size, 2)  # of a larger group, one member and the mark for its rest
        shown.append(1 if 0 < marks <= left else 0)
        left -= marks if shown[-1] else 0
    return shown


def _cut(size: int, share: int) -> int:
    """Return a group's shown members: all of them if its rest would be a single one."""
    return size if size <= share + 1 else share


def _count_marks(sizes: Sequence[int], share: int) -> int:
    return sum(_cut(size, share) + (_cut(size, share) < size) for size in sizes)
