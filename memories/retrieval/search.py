"""Search the memories of one owner. A search takes at most 4 statements, whatever the number of memories."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

import numpy as np
import structlog
from django.utils import timezone
from numpy.typing import NDArray

from memories import conf
from memories.gate import redact
from memories.models import Memory, Status
from memories.retrieval.cache import index_cache, recall_state
from memories.retrieval.echoes import behind_facts
from memories.retrieval.eligibility import among, standing
from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import parse_query
from memories.retrieval.ranking import Ranked, rank
from memories.retrieval.signals import Probe, probe_of
from memories.storage import MemoryFilter, list_memories, memories_by_id
from memories.values import LAYERS
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder, get_embedder

log = structlog.get_logger("memories.retrieval")

#: A search is about a hundred short numpy calls, each of which releases the GIL. Several searches at once
#: spend their time on switching threads; one after the other, all of them finish sooner.
_ONE_AT_A_TIME: Final = threading.Lock()
_RECALLED: Final = (Status.ACTIVE, Status.DISPUTED)
#: Share of its relevance that a memory keeps if only the secondary query finds it.
_SECONDARY_SHARE: Final = 0.9


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The query and filters of a search. An empty filter excludes nothing.

    Attributes:
        top_k: Number of memories to rank.
        limit: Page size within the ranked memories; None means `top_k`.
        offset: Start of the page within the ranked memories.
        min_similarity: Least relevance, in [0, 1]. None applies the threshold of each layer, 0 applies none.
        as_of: See `queries.answers`.
        believed_at: See `queries.answers`.
        secondary: Second query of lower weight. Memories that only it finds come after those of `query`.
    """

    query: str
    layers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subject: str = ""
    speaker: str = ""
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    top_k: int = 5
    limit: int | None = None
    offset: int = 0
    min_similarity: float | None = None
    as_of: datetime | None = None
    believed_at: datetime | None = None
    secondary: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that a search found.

    Attributes:
        score: Value that orders the hits.
        relevance: Value in [0, 1] that is compared with the thresholds.
        breakdown: Contribution of each part of the ranking; see `ranking.Ranked`.
        why: Short reason, for display.
    """

    memory: Memory
    score: float
    relevance: float
    breakdown: dict[str, float]
    why: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a search, best first.

    Attributes:
        by_layer: Number of memories found in each layer.
        total_found: Number of ranked memories that passed the thresholds, before paging.
        cold_start: Whether the owner has no memories at all.
        suggestion: Advice to the caller if nothing was found.
        conflicting_ids: Disputed memories among the hits, and the memories they are in conflict with.
    """

    hits: tuple[Hit, ...]
    by_layer: dict[str, int]
    total_found: int
    cold_start: bool
    suggestion: str
    conflict_warning: str
    conflicting_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    memory_id: bytes
    layer: str
    score: float
    relevance: float
    breakdown: dict[str, float]


def search(query: SearchQuery, *, owner: UUID, hidden: frozenset[UUID] = frozenset()) -> SearchResult:
    """Search the memories of one owner.

    The cost does not depend on the number of rows of other owners.

    Args:
        query: Query, filters and paging.
        owner: Owner of the memories.
        hidden: Memories to exclude. A memory that was ended only by hidden memories counts as not ended.

    Returns:
        The hits, best first; no hits if the owner switched memory off.
    """
    state = recall_state(owner=owner, hidden=hidden)
    if not state.memory_on or state.version == 0:
        return _nothing(memory_on=state.memory_on)
    embedder = get_embedder(state.model, state.dimensions)
    index = index_cache().index_of(owner, embedder, version=state.version, epoch=state.epoch)
    mask = _eligible(index, query, owner=owner, hidden=hidden, reopened=state.reopened)
    found = _find(index, query.query, query, mask, embedder)
    if query.secondary:
        found += _only_secondary(_find(index, query.secondary, query, mask, embedder), found)
    start = query.offset
    page = found[start : start + (query.limit or query.top_k)]
    return _result(_facts_first(_fetch(page, owner=owner)), found, index)


def _eligible(
    index: OwnerIndex,
    query: SearchQuery,
    *,
    owner: UUID,
    hidden: frozenset[UUID],
    reopened: Collection[UUID] = (),
) -> NDArray[np.bool_]:
    now = timezone.now()
    again = index.rows_of(memory_id.bytes for memory_id in reopened) if reopened else None
    mask = standing(index, query.as_of or now, query.believed_at or now, again)
    mask &= among(
        index,
        layers=query.layers,
        kinds=query.kinds,
        categories=query.categories,
        statuses=_statuses(query),
        speaker=query.speaker,
        reopened=again,
    )
    if query.subject or query.tags or query.since or query.until:
        mask &= _filtered(index, query, owner=owner)
    if hidden:
        mask[index.rows_of(memory_id.bytes for memory_id in hidden)] = False
    return mask


def _statuses(query: SearchQuery) -> tuple[str, ...]:
    """Return the statuses to include. Forgotten memories are never included, even on request."""
    past = query.as_of is not None or query.believed_at is not None
    asked = query.statuses or ((*_RECALLED, Status.DEPRECATED) if past else _RECALLED)
    return tuple(status for status in asked if status != Status.FORGOTTEN) or ("none",)


def _filtered(index: OwnerIndex, query: SearchQuery, *, owner: UUID) -> NDArray[np.bool_]:
    """Query the database with the filters on columns that the index does not hold."""
    filters = MemoryFilter(
        subject=(query.subject,) if query.subject else (),
        tags=query.tags,
        since=query.since,
        until=query.until,
    )
    ids = list_memories(filters, owner=owner).values_list("id", flat=True)
    mask = np.zeros(len(index), dtype=bool)
    mask[index.rows_of(memory_id.bytes for memory_id in ids)] = True
    return mask


def _find(
    index: OwnerIndex, text: str, query: SearchQuery, mask: NDArray[np.bool_], embedder: Embedder
) -> list[_Found]:
    now = timezone.now()
    parsed = parse_query(redact(text).text, index.speakers, now)
    try:
        probe = probe_of(parsed.meaning, embedder)
    except ModelError as error:
        log.warning("query not embedded; searching by words", error=error.message)
        probe = Probe()
    with _ONE_AT_A_TIME:
        ranked = rank(index, parsed, probe, mask, now, top=query.top_k)
    return [one for one in _rows(index, ranked) if one.relevance >= _threshold(one.layer, query)]


def _rows(index: OwnerIndex, ranked: Ranked) -> list[_Found]:
    layers = index.column("layer")[ranked.rows]
    return [
        _Found(
            memory_id=memory_id,
            layer=LAYERS[layers[place]],
            score=round(float(ranked.score[place]), 4),
            relevance=round(float(ranked.relevance[place]), 4),
            breakdown={part: round(float(values[place]), 4) for part, values in ranked.breakdown.items()},
        )
        for place, memory_id in enumerate(ranked.ids)
        if isinstance(memory_id, bytes)
    ]


def _threshold(layer: str, query: SearchQuery) -> float:
    return conf.RECALL.least_relevance(layer) if query.min_similarity is None else query.min_similarity


def _only_secondary(second: list[_Found], first: list[_Found]) -> list[_Found]:
    known = {one.memory_id for one in first}
    return [
        replace(one, relevance=round(one.relevance * _SECONDARY_SHARE, 4))
        for one in second
        if one.memory_id not in known
    ]


def _fetch(page: list[_Found], *, owner: UUID) -> list[Hit]:
    ids = [UUID(bytes=one.memory_id) for one in page]
    rows = memories_by_id(ids, owner=owner) if ids else {}
    return [
        Hit(rows[key], one.score, one.relevance, one.breakdown, _why(one))
        for key, one in zip(ids, page, strict=True)
        if key in rows
    ]


def _facts_first(hits: list[Hit]) -> list[Hit]:
    """Move each reply that only repeats a fact behind that fact, and give it no higher score."""
    ordered: list[Hit] = []
    for place in behind_facts([hit.memory for hit in hits]):
        least = ordered[-1].score if ordered else hits[place].score
        ordered.append(replace(hits[place], score=min(hits[place].score, least)))
    return ordered


_REASONS: Final = {
    "similarity": "close in meaning",
    "keyword": "shares words",
    "graph": "names what it is about",
    "structure": "fits speaker and conversation",
    "time": "fits the time asked about",
}


def _why(found: _Found) -> str:
    parts = sorted(_REASONS, key=lambda part: -found.breakdown[part])
    reasons = [_REASONS[part] for part in parts if found.breakdown[part] > 0][:2]
    return ", ".join(reasons) or "nearest there is"


def _result(hits: list[Hit], found: list[_Found], index: OwnerIndex) -> SearchResult:
    disputed = _in_dispute(hits)
    return SearchResult(
        hits=tuple(hits),
        by_layer=dict(Counter(one.layer for one in found)),
        total_found=len(found),
        cold_start=False,
        suggestion="" if found else _no_hit(index),
        conflict_warning="Some of these memories contradict each other." if disputed else "",
        conflicting_ids=disputed,
    )


def _in_dispute(hits: list[Hit]) -> tuple[UUID, ...]:
    """Return the ids of disputed hits and of the memories they conflict with, found or not."""
    found = [hit.memory for hit in hits if hit.memory.status == Status.DISPUTED]
    others = [memory_id for memory in found for memory_id in memory.disputed_ids]
    return tuple(dict.fromkeys([*(memory.pk for memory in found), *others]))


def _no_hit(index: OwnerIndex) -> str:
    return f"None of {len(index)} memories is relevant enough; try other words or a lower min_similarity."


def _nothing(*, memory_on: bool) -> SearchResult:
    suggestion = "Nothing is remembered yet: add memories, or talk in a thread."
    return SearchResult(
        (), {}, 0, memory_on, suggestion if memory_on else "Memory is switched off for this person.", "", ()
    )
