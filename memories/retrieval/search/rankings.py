"""The ranking of a search: how relevant the memories are for each of its queries.

Agents and frontends send the same search again: for its next page, for another answer, after an error. So the
latest rankings are kept with the version of the index that they were made from.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Final, cast
from uuid import UUID

import numpy as np
import structlog
from cachetools import LRUCache
from django.conf import settings
from django.utils import timezone
from numpy.typing import NDArray

from memories import conf
from memories.gate import redact_text
from memories.retrieval.cache import get_query_vectors
from memories.retrieval.estimates import estimate_need
from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import Query, parse_query
from memories.retrieval.ranking import (
    RankedMemories,
    get_least_relevance,
    keeps_relevance,
    rank_memories,
    was_restated,
)
from memories.retrieval.search.fields import list_by_field
from memories.retrieval.signals import Probe, probes_of
from memories.retrieval.values import Diagnostics, SearchQuery
from memories.storage import list_learnt_with
from memories.text import RequirementTag
from memories.values import LAYERS, Layer
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder

log = structlog.get_logger("memories.retrieval")

#: A search is about a hundred short numpy calls, each of which releases the GIL. Several searches at once
#: spend their time on switching threads; one after the other, all of them finish sooner.
_ONE_AT_A_TIME: Final = threading.Lock()
#: Logit that a query which names a speaker of the owner's memories needs memory, at least.
_NAMED_NEED: Final = 2.0
#: Rows ranked beyond `top_k`.
_MORE_ROWS: Final = 10
_DIGITS: Final = 4
_MINUTE: Final = 60.0  # seconds
#: Bytes of the rankings that are kept for one owner, and of the largest of them.
_MOST_BYTES: Final = 8_000_000
_LARGEST: Final = 200_000
#: Approximate bytes of a ranking, of each memory in it, and of each character of its queries.
_BYTES: Final = 4_000
_FOUND_BYTES: Final = 700
_CHARACTER_BYTES: Final = 40


@dataclass(frozen=True, slots=True)
class Found:
    """One ranked memory. `Hit` describes its values."""

    memory_id: bytes
    layer: Layer
    score: float
    relevance: float
    breakdown: dict[str, float]
    query: Query


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best memories for each query, the main query first; how the main query was compared.

    Attributes:
        complete: Whether all vectors of the queries were there. If not, the next search finds more.
        by_field: For each field of the main query, the ids of the memories of it; see `list_by_field`. None
            without its sentence vector.
    """

    found: Sequence[Sequence[Found]]
    diagnostics: Diagnostics
    complete: bool
    by_field: Mapping[RequirementTag, tuple[bytes, ...]] | None = None


class _Latest:
    """The rankings of this minute for one version of an index; the least recently used are dropped."""

    def __init__(self) -> None:
        self._kept: LRUCache[Hashable, tuple[Ranking, int]] = LRUCache(_MOST_BYTES, getsizeof=itemgetter(1))
        self._minute = 0
        self._lock = threading.Lock()

    def get(self, minute: int, key: Hashable) -> Ranking | None:
        with self._lock:
            if minute != self._minute:
                self._kept.clear()
                self._minute = minute
            ranking, _ = self._kept.get(key, (None, 0))
            return ranking

    def put(self, minute: int, key: Hashable, ranking: Ranking, size: int) -> None:
        """Keep a ranking of about `size` bytes, unless it is large or of another minute."""
        with self._lock:
            if minute == self._minute and size <= _LARGEST:
                self._kept[key] = ranking, size

    @property
    def nbytes(self) -> int:
        """Approximate memory use in bytes, which counts as a part of the index."""
        return int(self._kept.currsize)


def rank_queries(
    index: OwnerIndex,
    query: SearchQuery,
    mask: NDArray[np.bool_],
    embedder: Embedder,
    *,
    over: NDArray[np.bool_],
    owner: UUID,
    version: int,
) -> Ranking:
    """Return the ranking for a search, made now or for the same search within this minute.

    Args:
        index: Memories of the owner.
        query: The search. Its `offset` does not change the ranking.
        mask: (n,) Eligible rows.
        embedder: Embedder of the index.
        over: (f,) Which of `index.former.facts` are over at the time of the search.
        owner: Owner of the memories.
        version: Index version of the owner. It changes with whatever the ranking reads from the database.
    """
    now = timezone.now()
    minute = int(now.timestamp() // _MINUTE)
    text, *secondary = (redact_text(text).text for text in (query.query, *query.secondary))
    query = replace(query, query=text, secondary=tuple(secondary), offset=0)
    eligible = np.packbits(mask).tobytes() + np.packbits(over).tobytes()
    latest = index.kept("rankings", _Latest)
    ranking = latest.get(minute, (query, version, eligible))
    if ranking is None:
        ranking = _rank_anew(index, query, mask, embedder, over=over, owner=owner, now=now)
        if ranking.complete:
            latest.put(minute, (query, version, eligible), ranking, len(eligible) + _measure(query, ranking))
    return ranking


def _measure(query: SearchQuery, ranking: Ranking) -> int:
    """Return the approximate bytes of a ranking and the queries that it is for."""
    found = sum(len(one) for one in ranking.found)
    characters = sum(len(text) for text in (query.query, *query.secondary))
    return _BYTES + _FOUND_BYTES * found + _CHARACTER_BYTES * characters


def _rank_anew(
    index: OwnerIndex,
    query: SearchQuery,
    mask: NDArray[np.bool_],
    embedder: Embedder,
    *,
    over: NDArray[np.bool_],
    owner: UUID,
    now: datetime,
) -> Ranking:
    """Rank the memories for each query.

    Secondary queries are ranked for only if the main query finds too few. What is outdated for the main query
    is not among what they find.
    """
    texts = (query.query, *query.secondary)
    parsed = [parse_query(text, index.speakers, now) for text in texts]
    embedded = True
    try:
        probes = probes_of([one.meaning for one in parsed], embedder)
    except ModelError as error:
        log.warning("query not embedded; searching by words", error=error.message)
        probes, embedded = [Probe()] * len(parsed), False
    sentences, diagnostics = _embed_sentences(parsed, index)
    probes = [
        replace(probe, sentence=vector, need=_get_need(vector, query))
        for probe, vector, query in zip(probes, sentences, parsed, strict=True)
    ]
    moment = min(query.as_of or now, query.believed_at or now, now)
    best: list[list[Found]] = []
    for one, probe in zip(parsed, probes, strict=True):
        if best and len(list_passing(best[0], query)) >= (query.limit or query.top_k):
            break  # what only the secondary queries find would come after these
        with _ONE_AT_A_TIME:
            ranked = rank_memories(
                index, one, probe, mask, now, top=query.top_k + _MORE_ROWS, as_of=moment, over=over
            )
        found, lowered = _rows(index, ranked, one), ranked.outdated
        if not best and ranked.outdated.size:
            beside = _list_beside(index, one, ranked, owner=owner, moment=moment)
            found, lowered = _lower(index, found, beside), np.union1d(lowered, beside)
        mask = mask & ~np.isin(np.arange(mask.size), lowered)
        best.append(found)
    in_time = diagnostics.sentence_vectors == "none" or all(one is not None for one in sentences)
    by_field = None
    if sentences[0] is not None:
        current = {one.memory_id: one.relevance for one in best[0] if not one.breakdown["outdated"]}
        by_field = list_by_field(index, sentences[0], current)
    return Ranking(best, diagnostics, complete=embedded and in_time, by_field=by_field)


def _list_beside(
    index: OwnerIndex, query: Query, ranked: RankedMemories, *, owner: UUID, moment: datetime
) -> NDArray[np.int64]:
    """Return the rows of the messages of outdated memories, and of what else was learnt from these.

    None that was said again since. Nothing if what replaces one came from the same source, which then tells
    of more than one time.
    """
    outdated = [UUID(bytes=cast("bytes", index.ids[row])) for row in ranked.outdated.tolist()]
    rows = index.rows_of(memory_id.bytes for memory_id in list_learnt_with(outdated, owner=owner))
    current = np.setdiff1d(ranked.replacing, ranked.outdated)
    if np.isin(current, rows).any():
        return rows[:0]
    rows = rows[~np.isin(rows, ranked.outdated)]
    restated = was_restated(index, rows, current, moment=moment.timestamp()).all(axis=1)
    return rows[~keeps_relevance(index, query, rows) & ~restated]


def _lower(index: OwnerIndex, found: Sequence[Found], rows: NDArray[np.int64]) -> list[Found]:
    """Return ranked memories, of which these rows lose as much relevance as outdated ones, in their order."""
    ids = {index.ids[row] for row in rows.tolist()}
    lowered = (_lose(one) if one.memory_id in ids else one for one in found)
    return sorted(lowered, key=lambda one: -one.score)


def _lose(one: Found) -> Found:
    lost = round(one.relevance * conf.RECALL.outdated_loss, _DIGITS)
    score, relevance = round(one.score - lost, _DIGITS), round(one.relevance - lost, _DIGITS)
    return replace(one, score=score, relevance=relevance, breakdown=one.breakdown | {"outdated": lost})


def list_passing(found: Sequence[Found], query: SearchQuery) -> list[Found]:
    """Return the first `top_k` of ranked memories as far as they are relevant enough."""
    return [one for one in found[: query.top_k] if passes(one, query)]


def _embed_sentences(
    queries: Sequence[Query], index: OwnerIndex
) -> tuple[list[NDArray[np.float32] | None], Diagnostics]:
    """Return the sentence vectors of queries, as far as they are there in time, the main query's first."""
    vectors = get_query_vectors()
    share = index.kept("sentence share", lambda: _filled_share(index))
    if vectors is None or not share:
        return [None] * len(queries), Diagnostics()
    budget, share = settings.MEMSITE_EMBEDDING_BUDGET_MS / 1000, round(share, 3)
    found = vectors.get([one.gist for one in queries], seconds=budget)
    if found[0] is None:
        return found, Diagnostics("late", share)
    return found, Diagnostics("used", share, _get_need(found[0], queries[0]))


def _get_need(vector: NDArray[np.float32] | None, query: Query) -> float:
    """Return the logit that a query needs memory; 0 without a vector."""
    if vector is None:
        return 0.0
    least = _NAMED_NEED if query.speaker or query.subject else -np.inf
    return max(estimate_need(vector), least)


def _filled_share(index: OwnerIndex) -> float:
    if index.sentences is None or not len(index):
        return 0.0
    return float(index.sentences.filled.mean())


def _rows(index: OwnerIndex, ranked: RankedMemories, parsed: Query) -> list[Found]:
    """Return the ranked memories."""
    layers = index.column("layer")[ranked.rows]
    found: list[Found] = []
    for place, memory_id in enumerate(ranked.ids):
        if isinstance(memory_id, bytes):
            breakdown = {
                part: round(float(values[place]), _DIGITS) for part, values in ranked.breakdown.items()
            }
            score, relevance = (round(float(of[place]), _DIGITS) for of in (ranked.score, ranked.relevance))
            found.append(Found(memory_id, LAYERS[layers[place]], score, relevance, breakdown, parsed))
    return found


def passes(one: Found, query: SearchQuery) -> bool:
    """Return whether a ranked memory is relevant enough for its layer."""
    least = query.min_similarity
    return one.relevance >= (get_least_relevance(one.layer) if least is None else least)
