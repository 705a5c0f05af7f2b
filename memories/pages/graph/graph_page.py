"""Show the graph around one entity as a picture and as a list, at a time; find an entity by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memories.models.predicate_labels import list_equal_predicates
from memories.pages.graph.graph_query import GraphQuery
from memories.pages.graph.picture import Picture, draw_picture
from memories.pages.graph.relation_list import (
    Statement,
    StatementGroup,
    group_statements,
    list_further_statements,
)
from memories.pages.graph.ring_choice import Neighbour, add_further, choose_inner
from memories.storage import (
    EntityRelations,
    find_entities,
    load_entity_relations,
    load_further_relations,
)
from memories.text import OWNER
from memsite.web.requests import get_owner

#: The most statements between neighbours and beyond that the list shows.
_MOST_FURTHER: Final = 32
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph around one entity, as the page shows it.

    Attributes:
        further: What is stated between the neighbours, and with two rings beyond them.
        count: The number of neighbours.
    """

    found: EntityRelations
    groups: list[StatementGroup]
    further: list[Statement]
    picture: Picture
    count: int


@dataclass(frozen=True, slots=True)
class TimeSlider:
    """A slider over the days of an entity's relations.

    Attributes:
        first: The day at its left end; today is at its right end.
        span: The number of days between both.
        value: The day asked for, in days after the first.
        marks: The days on which relations begin or end, likewise.
    """

    first: date
    today: date
    span: int
    value: int
    marks: tuple[int, ...]


def build_slider(days: Sequence[date], query: GraphQuery, today: date) -> TimeSlider | None:
    """Return the slider, or None if nothing is known to have begun or ended before today."""
    span = (today - days[0]).days if days else 0
    if span < 1:
        return None
    value = min(max(((query.as_of or today) - days[0]).days, 0), span)
    return TimeSlider(days[0], today, span, value, tuple((day - days[0]).days for day in days))


def load_graph(query: GraphQuery, *, owner: UUID) -> Graph | None:
    """Return the graph that a query asks for, or None if there is no such entity. At most 12 statements.

    Raises:
        NotFound: If the query's entity is an id of no entity of this owner.
    """
    time = query.load_time(owner=owner)
    predicates = None if query.predicate is None else list_equal_predicates(query.predicate)
    found = load_entity_relations(query.entity, owner=owner, time=time, predicates=predicates)
    if found is None:
        return None
    groups = group_statements(found, query)
    inner = choose_inner(groups, hops=query.hops)
    ring = [one.entity.id for one in inner if isinstance(one, Neighbour)]
    relations, names = load_further_relations(
        ring, found.start.id, owner=owner, time=time, within=query.hops == 1
    )
    return Graph(
        found,
        groups,
        list_further_statements(relations, names, most=_MOST_FURTHER),
        draw_picture(add_further(found.start, inner, relations, names), query),
        len({statement.far.id for group in groups for statement in group.statements}),
    )


@login_required
@require_safe
def show_graph(request: HttpRequest) -> HttpResponse:
    """Show an entity with its neighbours; `entity`, `hops`, `as_of`, `believed_at`, `predicate` say which."""
    query = GraphQuery.parse(request.GET)
    graph = load_graph(query, owner=get_owner(request))
    days = graph.found.days if graph else ()
    facts = {"query": query, "graph": graph, "slider": build_slider(days, query, timezone.now().date())}
    template = (
        "memories/graph/_graph.html" if request.headers.get("HX-Request") else "memories/graph/graph.html"
    )
    return render(request, template, facts)


@login_required
@require_safe
def find_entity(request: HttpRequest) -> HttpResponse:
    """Find entities by a part of their name; without scripts, a single one is shown at once."""
    words = request.GET.get("name", "").replace("\0", "").strip()[:_LONGEST]
    searched = OWNER if words.casefold() == _("You").casefold() else words
    matches = find_entities(searched, owner=get_owner(request)) if searched else []
    if request.headers.get("HX-Request"):
        return render(request, "memories/graph/_matches.html", {"words": words, "matches": matches})
    if len(matches) == 1:
        return redirect(f"{reverse('graph')}?entity={matches[0].id}")
    return render(request, "memories/graph/matches.html", {"words": words, "matches": matches})
