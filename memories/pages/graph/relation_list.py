"""Group the relations of an entity by predicate, each neighbour once, as the page lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from memories.models.predicate_labels import (
    get_predicate_label,
    get_predicate_place,
    list_equal_predicates,
)
from memories.pages.graph.graph_query import GraphQuery
from memories.storage import EntityName, EntityRelation, EntityRelations

#: With more statements than this, a group shows only its first ones: as many as keep the list short, from the
#: least to the most.
_MOST_ROWS: Final = 48
_LONG_LIST: Final = 80
_LEAST_OF_GROUP: Final = 2
_MOST_OF_GROUP: Final = 6
#: The most statements that the list of one predicate shows.
_MOST_OF_PREDICATE: Final = 200


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation of an entity to a neighbour, with the memories that state it, newest first.

    Attributes:
        origin: The entity in question.
        far: Its neighbour.
        outgoing: Whether `origin` is the subject.
    """

    origin: EntityName
    predicate: str
    far: EntityName
    outgoing: bool
    memories: tuple[EntityRelation, ...]

    @property
    def label(self) -> str:
        """The predicate in words."""
        return get_predicate_label(self.predicate)

    @property
    def subject(self) -> EntityName:
        """Who or what the statement is about."""
        return self.origin if self.outgoing else self.far

    @property
    def object(self) -> EntityName:
        """The other end."""
        return self.far if self.outgoing else self.origin

    @property
    def subject_words(self) -> str:
        """The subject as a sentence begins. Predicates are in the third person, so "You" needs a colon."""
        return _("You:") if self.subject.is_owner else self.subject.name

    @property
    def sentence(self) -> str:
        """The statement in one line."""
        return f"{self.subject_words} {self.label} {get_name(self.object)}"

    @property
    def kind(self) -> str:
        """The kind of the newest memory."""
        return self.memories[0].kind

    @property
    def others(self) -> int:
        """The number of further memories that state it."""
        return len(self.memories) - 1


@dataclass(frozen=True, slots=True)
class StatementGroup:
    """The statements of one predicate in one direction.

    Attributes:
        anchor: The id of its heading in the page.
        statements: All of them, the newest first.
        most: How many of them the list shows.
        url: The page that lists all of this predicate.
    """

    predicate: str
    outgoing: bool
    anchor: str
    statements: Sequence[Statement]
    most: int
    url: str

    @property
    def label(self) -> str:
        """The predicate in words."""
        return get_predicate_label(self.predicate)

    @property
    def shown(self) -> Sequence[Statement]:
        """The statements that the list shows."""
        return self.statements[: self.most]

    @property
    def left_out(self) -> int:
        """The number of statements that the list does not show."""
        return max(0, len(self.statements) - self.most)


def get_name(entity: EntityName) -> str:
    """Return the name of an entity for display."""
    return _("You") if entity.is_owner else entity.name


def group_statements(found: EntityRelations, query: GraphQuery) -> list[StatementGroup]:
    """Return the statements about an entity by predicate and direction: what it is first, mentions last."""
    statements = merge_statements(found.start, found.relations, found.names)
    groups: dict[tuple[str, bool], list[Statement]] = {}
    for one in statements:
        groups.setdefault((one.label, one.outgoing), []).append(one)
    order = sorted(groups, key=lambda key: (_get_place(groups[key]), not key[1], -len(groups[key]), key[0]))
    most = _count_rows(len(statements), len(groups)) if query.predicate is None else _MOST_OF_PREDICATE
    entity = str(found.start.id)
    return [
        StatementGroup(
            groups[key][0].predicate,
            key[1],
            f"group-{number}",
            groups[key],
            most,
            query.changed(entity=entity, predicate=groups[key][0].predicate) + "#relations",
        )
        for number, key in enumerate(order, 1)
    ]


def _count_rows(statements: int, groups: int) -> int:
    """Return how many statements each group shows."""
    if statements <= _MOST_ROWS:
        return _MOST_ROWS
    return min(_MOST_OF_GROUP, max(_LEAST_OF_GROUP, _LONG_LIST // groups))


def _get_place(statements: Sequence[Statement]) -> int:
    return min(map(get_predicate_place, list_equal_predicates(statements[0].predicate)))


def merge_statements(
    origin: EntityName, relations: Iterable[EntityRelation], names: Mapping[UUID, EntityName]
) -> list[Statement]:
    """Return each statement about an entity once, with all memories that state it."""
    found: dict[tuple[str, UUID, bool], list[EntityRelation]] = {}
    for one in relations:
        outgoing = one.subject == origin.id
        far = one.object if outgoing else one.subject
        label = get_predicate_label(one.predicate)
        found.setdefault((label, far, outgoing), []).append(one)
    return [
        Statement(origin, stated[0].predicate, names[far], outgoing, tuple(stated))
        for (_label, far, outgoing), stated in found.items()
    ]


def list_further_statements(
    relations: Sequence[EntityRelation], names: Mapping[UUID, EntityName], *, most: int
) -> list[Statement]:
    """Return the statements between neighbours and beyond, each once, by the name of their subject."""
    found: dict[tuple[UUID, str, UUID], list[EntityRelation]] = {}
    for one in relations:
        found.setdefault((one.subject, one.predicate, one.object), []).append(one)
    statements = [
        Statement(names[subject], predicate, names[thing], outgoing=True, memories=tuple(stated))
        for (subject, predicate, thing), stated in found.items()
    ]
    return sorted(statements, key=lambda one: get_name(one.origin))[:most]
