"""Show the list of memories: incremental search, tabs by kind with counts, filters, sorts, load more.

Pinned memories come first, in the order that was requested.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from memories.models import Memory
from memories.models.labels import KIND_LABELS
from memories.pages.cards import Card, load_cards
from memories.pages.listing import list_query
from memories.pages.listing.list_query import PAGE_SIZE, ListQuery
from memories.retrieval import SearchQuery, search_memories
from memories.storage import MemoryFilter, list_memories
from memories.text import is_unspaced
from memsite.accounts.preferences import get_preferences
from memsite.rest.pagination import paginate
from memsite.web.requests import get_owner

#: The least characters of a text that is searched by meaning; a Chinese character is half a word or more.
_SHORTEST_MEANING: Final = 3
_SHORTEST_MEANING_UNSPACED: Final = 1
_MOST_SIMILAR: Final = 5
#: Begins the cursors of pages of pinned memories.
_PINNED: Final = "pinned."
_FIELDS: Final = {name: field for name, (field, _order) in list_query.SORTS.items()}
#: The kinds that many memories may be changed to at once: relations, entities and episodes keep theirs.
BULK_KINDS: Final = {
    kind: label
    for kind, label in KIND_LABELS.items()
    if kind not in {"relation", "entity", "conversation", "event", "summary"}
}


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
        query: The list that is shown: the requested one, with the layers that it falls back to.
        close: Memories similar in meaning to the words, which need not contain any of them.
        elsewhere: How many more memories have the words, in layers that are not shown.
        total: How many memories match, on all pages.
        listed_at: When the list was read.
        is_narrowed: Whether anything except the order was requested.
    """

    tabs: list[Tab]
    query: ListQuery
    cards: list[Card]
    next: str | None
    close: list[Card]
    elsewhere: int
    total: int
    listed_at: datetime
    is_narrowed: bool


@login_required
@require_safe
@vary_on_headers("HX-Request", "HX-Target")
def list_memories_page(request: HttpRequest) -> HttpResponse:
    """Show the list, or for htmx the part of it that changes."""
    wanted = ListQuery.of(request.GET)
    facts = {"listing": load_listing(wanted, owner=get_owner(request)), **_choices()}
    if request.htmx and not request.htmx.history_restore_request:  # type: ignore[attr-defined]  # by HtmxMiddleware
        return _changed_part(request, wanted, facts)
    facts["preferences"] = get_preferences(get_owner(request))
    return render(request, "memories/listing/list.html", facts)


def _changed_part(request: HttpRequest, wanted: ListQuery, facts: dict[str, Any]) -> HttpResponse:
    if request.headers.get("HX-Target") == "more":
        return render(request, "memories/listing/_more.html", facts)
    response = render(request, "memories/listing/_results.html", facts)
    response["HX-Push-Url"] = request.path + wanted.as_query()
    return response


def render_results(request: HttpRequest, wanted: ListQuery, *, size: int) -> HttpResponse:
    """Return the list as an answer to htmx, with at least `size` cards and the notices."""
    listing = load_listing(replace(wanted, cursor=""), owner=get_owner(request), size=size)
    return render(request, "memories/listing/_results_changed.html", {"listing": listing, **_choices()})


def load_listing(wanted: ListQuery, *, owner: UUID, size: int = PAGE_SIZE) -> Listing:
    """Return one page of one person's memories. The number of queries does not depend on their number.

    Args:
        wanted: The request.
        owner: The owner.
        size: The least number of memories on the page, from 1 to 200.
    """
    listed_at = timezone.now()
    counts = _counts(wanted.filter(), owner=owner)
    query = replace(wanted, scope=_scope(wanted, counts))
    rows, following = _load_page(query, owner=owner, size=size)
    similar = _find_similar(query, rows, owner=owner)
    shown = load_cards([*rows, *similar], owner=owner)
    tabs = _tabs(counts, query)
    return Listing(
        tabs=tabs,
        query=query,
        cards=shown[: len(rows)],
        next=following,
        close=shown[len(rows) :],
        elsewhere=_elsewhere(query, counts),
        total=next((tab.count for tab in tabs if tab.current), 0),
        listed_at=listed_at,
        is_narrowed=wanted.is_narrowed(),
    )


def _load_page(query: ListQuery, *, owner: UUID, size: int) -> tuple[list[Memory], str | None]:
    """Return the rows of a page and the cursor of the next: first the pinned ones, then the others.

    The two are paged one after the other, because an index finds each; a cursor among the pinned ones begins
    with `_PINNED`.
    """
    every = list_memories(query.whole_filter(), owner=owner)
    page, cursor = query.page(size=size), query.cursor
    first: list[Memory] = []
    if not cursor or cursor.startswith(_PINNED):
        pinned_page = page.model_copy(update={"cursor": cursor.removeprefix(_PINNED)})
        pinned = paginate(every.filter(pinned=True), pinned_page, _FIELDS)
        if pinned.next:
            return list(pinned.rows), _PINNED + pinned.next
        first, cursor = list(pinned.rows), ""
    rest = paginate(every.filter(pinned=False), page.model_copy(update={"cursor": cursor}), _FIELDS)
    return [*first, *rest.rows], rest.next


def _counts(base: MemoryFilter, *, owner: UUID) -> dict[tuple[str, str], int]:
    # Without other filters, `*` lets an index alone answer.
    rows = list_memories(base, owner=owner).values_list("layer", "kind").annotate(count=Count("*")).order_by()
    return {(layer, kind): count for layer, kind, count in rows}


def _scope(wanted: ListQuery, counts: dict[tuple[str, str], int]) -> str:
    """Return the requested scope; everything if nothing has been learnt yet."""
    learnt = any(layer in list_query.LEARNT for layer, _ in counts)
    return "all" if wanted.scope == "learnt" and not learnt else wanted.scope


def _elsewhere(query: ListQuery, counts: dict[tuple[str, str], int]) -> int:
    """Return how many memories match the words in layers that are not shown."""
    shown = list_query.SCOPES[query.scope]
    return sum(count for (layer, _), count in counts.items() if layer not in shown) if query.words else 0


def _tabs(counts: dict[tuple[str, str], int], query: ListQuery) -> list[Tab]:
    by_kind: dict[str, int] = {}
    for (layer, kind), count in counts.items():
        if layer in list_query.SCOPES[query.scope]:
            by_kind[kind] = by_kind.get(kind, 0) + count
    kinds = [kind for kind in KIND_LABELS if by_kind.get(kind) or kind == query.kind]
    tabs = [Tab(kind, by_kind.get(kind, 0), kind == query.kind) for kind in kinds]
    return [Tab("", sum(by_kind.values()), query.kind == ""), *tabs]


def _find_similar(query: ListQuery, found: Iterable[Memory], *, owner: UUID) -> list[Memory]:
    unspaced = any(map(is_unspaced, query.words))
    least = _SHORTEST_MEANING_UNSPACED if unspaced else _SHORTEST_MEANING
    if len(query.words) < least or query.cursor or query.state != "standing" or query.is_refined:
        return []
    kinds = (query.kind,) if query.kind else ()
    search = SearchQuery(
        query.words, layers=list_query.SCOPES[query.scope], kinds=kinds, top_k=_MOST_SIMILAR * 3
    )
    listed, words = {memory.pk for memory in found}, query.words.casefold()
    hits = [hit.memory for hit in search_memories(search, owner=owner).hits]
    # What contains the words is in the list itself, perhaps on a later page.
    return [one for one in hits if one.pk not in listed and words not in one.content.casefold()][
        :_MOST_SIMILAR
    ]


def _choices() -> dict[str, Any]:
    return {
        "scopes": list_query.SCOPE_LABELS,
        "states": list_query.STATE_LABELS,
        "sorts": list_query.SORT_LABELS,
        "sources": list_query.SOURCE_LABELS,
        "kinds": BULK_KINDS,
    }
