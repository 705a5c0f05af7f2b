"""Show the list of memories: incremental search, tabs by kind with counts, filters, sorts, load more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from memories.models import Memory
from memories.pages import list_query
from memories.pages.cards import Card, load_cards
from memories.pages.labels import KIND_LABELS
from memories.pages.list_query import ListQuery
from memories.retrieval import SearchQuery, search_memories
from memories.storage import MemoryFilter, list_memories
from memories.text import is_unspaced
from memories.values import Layer
from memsite.accounts.preferences import get_preferences
from memsite.rest.pagination import paginate
from memsite.web.requests import get_owner

#: The least characters of a text that is searched by meaning; a Chinese character is half a word or more.
_SHORTEST_MEANING: Final = 3
_SHORTEST_MEANING_UNSPACED: Final = 1
_MOST_SIMILAR: Final = 5


@dataclass(frozen=True, slots=True)
class Tab:
    """One kind, and how many of the requested memories have it. An empty `kind` means all."""

    kind: str
    count: int
    current: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """The content of the list.

    Attributes:
        near: Memories similar in meaning to the words, which need not contain any of them.
        elsewhere: How many more memories have the words, in layers that are not shown.
    """

    tabs: list[Tab]
    scope: str
    cards: list[Card]
    next: str | None
    near: list[Card]
    elsewhere: int


@login_required
@require_safe
@vary_on_headers("HX-Request", "HX-Target")
def list_memories_page(request: HttpRequest) -> HttpResponse:
    """Show the list, or for htmx the part of it that changes."""
    wanted = ListQuery.of(request.GET)
    found = load_listing(wanted, owner=get_owner(request))
    facts: dict[str, Any] = {"asked": wanted, "listing": found}
    if request.htmx and not request.htmx.history_restore_request:  # type: ignore[attr-defined]  # by HtmxMiddleware
        return _changed_part(request, wanted, facts)
    facts |= {"preferences": get_preferences(get_owner(request)), **_choices()}
    return render(request, "memories/list.html", facts)


def _changed_part(request: HttpRequest, wanted: ListQuery, facts: dict[str, Any]) -> HttpResponse:
    if request.headers.get("HX-Target") == "more":
        return render(request, "memories/_more.html", facts)
    response = render(request, "memories/_results.html", facts)
    response["HX-Push-Url"] = request.path + wanted.as_query()
    return response


def load_listing(wanted: ListQuery, *, owner: UUID) -> Listing:
    """Return one page of one person's memories, with one statement each for counts, rows and sources."""
    base = wanted.filter()
    counts = _counts(base, owner=owner)
    scope = _scope(wanted, counts)
    layers = list_query.SCOPES[scope]
    kinds = (wanted.kind,) if wanted.kind else ()
    rows = list_memories(replace(base, layer=layers, kind=kinds), owner=owner)
    page = paginate(rows, wanted.page(), list_query.SORTS)
    near = _find_similar(wanted, layers, kinds, page.rows, owner=owner)
    shown = load_cards([*page.rows, *near], owner=owner)
    first = len(page.rows)
    return Listing(
        tabs=_tabs(counts, layers, wanted.kind),
        scope=scope,
        cards=shown[:first],
        next=page.next,
        near=shown[first:],
        elsewhere=_elsewhere(wanted, counts, layers),
    )


def _counts(base: MemoryFilter, *, owner: UUID) -> dict[tuple[str, str], int]:
    rows = (
        list_memories(base, owner=owner).values_list("layer", "kind").annotate(count=Count("id")).order_by()
    )
    return {(layer, kind): count for layer, kind, count in rows}


def _scope(wanted: ListQuery, counts: dict[tuple[str, str], int]) -> str:
    """Return the requested scope; everything if nothing has been learnt yet."""
    learnt = any(layer in list_query.LEARNT for layer, _ in counts)
    return "all" if wanted.scope == "learnt" and not learnt else wanted.scope


def _elsewhere(wanted: ListQuery, counts: dict[tuple[str, str], int], layers: tuple[Layer, ...]) -> int:
    """Return how many memories match the words in layers that are not shown."""
    return sum(count for (layer, _), count in counts.items() if layer not in layers) if wanted.words else 0


def _tabs(counts: dict[tuple[str, str], int], layers: tuple[Layer, ...], current: str) -> list[Tab]:
    by_kind: dict[str, int] = {}
    for (layer, kind), count in counts.items():
        if layer in layers:
            by_kind[kind] = by_kind.get(kind, 0) + count
    kinds = [kind for kind in KIND_LABELS if by_kind.get(kind) or kind == current]
    tabs = [Tab(kind, by_kind.get(kind, 0), kind == current) for kind in kinds]
    return [Tab("", sum(by_kind.values()), current == ""), *tabs]


def _find_similar(
    wanted: ListQuery,
    layers: tuple[Layer, ...],
    kinds: tuple[str, ...],
    found: Iterable[Memory],
    *,
    owner: UUID,
) -> list[Memory]:
    unspaced = any(map(is_unspaced, wanted.words))
    least = _SHORTEST_MEANING_UNSPACED if unspaced else _SHORTEST_MEANING
    if len(wanted.words) < least or wanted.cursor or wanted.state != "standing":
        return []
    query = SearchQuery(wanted.words, layers=layers, kinds=kinds, top_k=_MOST_SIMILAR * 3)
    known = {memory.pk for memory in found}
    return [hit.memory for hit in search_memories(query, owner=owner).hits if hit.memory.pk not in known][
        :_MOST_SIMILAR
    ]


def _choices() -> dict[str, Any]:
    return {
        "scopes": list_query.SCOPE_LABELS,
        "states": list_query.STATE_LABELS,
        "sorts": list_query.SORT_LABELS,
    }
