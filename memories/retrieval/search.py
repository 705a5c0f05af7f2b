"""Search the memories of one owner.

A search takes at most 4 statements, or 5 if a memory is outdated, whatever the number of memories.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast
from uuid import UUID

import numpy as np
import structlog
from django.conf import settings
from django.utils import timezone
from numpy.typing import NDArray

from memories import conf
from memories.gate import redact_text
from memories.models import Memory
from memories.retrieval.cache import get_query_vectors, index_cache, load_recall_state
from memories.retrieval.echoes import find_equal_facts, move_behind_facts
from memories.retrieval.eligibility import mask_active, mask_matching
from memories.retrieval.estimates import estimate_need
from memories.retrieval.explaining import list_disputed_ids, warning_of
from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import Query, parse_query
from memories.retrieval.ranking import RankedMemories, get_least_relevance, keeps_relevance, rank_memories
from memories.retrieval.signals import Probe, probes_of
from memories.retrieval.values import Diagnostics, Hit, SearchQuery, SearchResult
from memories.storage import MemoryFilter, list_learnt_with, list_memories, load_memories
from memories.values import LAYERS, Layer, Status
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder, get_embedder

log = structlog.get_logger("memories.retrieval")

#: A search is about a hundred short numpy calls, each of which releases the GIL. Several searches at once
#: spend their time on switching threads; one after the other, all of them finish sooner.
_ONE_AT_A_TIME: Final = threading.Lock()
#: Logit that a query which names a speaker of the owner's memories needs memory, at least.
_NAMED_NEED: Final = 1.0
#: Rows ranked beyond `top_k`, and statements below the threshold that may take the place of their message.
_MORE_ROWS: Final = 10
_MORE_FACTS: Final = 5
_DIGITS: Final = 4
_RECALLED: Final = (Status.ACTIVE, Status.DISPUTED)


@dataclass(frozen=True, slots=True)
class _Found:
    memory_id: bytes
    layer: Layer
    score: float
    relevance: float
    breakdown: dict[str, float]
    query: Query


def begin_query(text: str, *, owner: UUID) -> None:
    """Begin to embed a query whose search follows, so that less of its time is left to wait for.

    Only if the owner's index is in this process: it knows the speakers, whose names are not embedded.

    Args:
        text: The query.
        owner: Owner of the memories.
    """
    vectors, index = get_query_vectors(), index_cache().peek(owner)
    if vectors is not None and index is not None:
        vectors.begin(parse_query(redact_text(text).text, index.speakers, timezone.now()).meaning)


def search_memories(
    query: SearchQuery, *, owner: UUID, hidden: frozenset[UUID] = frozenset()
) -> SearchResult:
    """Search the memories of one owner.

    The cost does not depend on the number of rows of other owners.

    Args:
        query: Query, filters and paging.
        owner: Owner of the memories.
        hidden: Memories to exclude. A memory that was ended only by hidden memories counts as not ended.

    Returns:
        The hits, best first; no hits if the owner switched memory off.
    """
    state = load_recall_state(owner=owner, hidden=hidden)
    if not state.memory_on or state.version == 0:
        return _nothing(memory_on=state.memory_on)
    embedder = get_embedder(state.model, state.dimensions)
    index = index_cache().index_of(owner, embedder, version=state.version, epoch=state.epoch)
    mask = _eligible(index, query, owner=owner, hidden=hidden, reopened=state.reopened)
    ranked, diagnostics = _rank(index, query, mask, embedder, owner=owner)
    (found, *others), weak = _choose(ranked, query)
    found += _only_secondary(others, found, query.secondary_share)
    page = slice(query.offset, query.offset + (query.limit or query.top_k))
    has_turns = any(one.layer == Layer.EPISODIC for one in found[page])
    weak = _only_secondary([weak], found, 1)[:_MORE_FACTS] if has_turns else []
    memories = _load([*found[page], *weak], owner=owner)
    found[page] = _put_facts_for_messages(found[page], weak, memories)
    return _result(_facts_first(found[page], memories), found, index, diagnostics)


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
    mask = mask_active(index, query.as_of or now, query.believed_at or now, again)
    mask &= mask_matching(
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
    statuses = query.statuses or ((*_RECALLED, Status.DEPRECATED) if past else _RECALLED)
    return tuple(status for status in statuses if status != Status.FORGOTTEN) or ("none",)


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


def _rank(
    index: OwnerIndex, query: SearchQuery, mask: NDArray[np.bool_], embedder: Embedder, *, owner: UUID
) -> tuple[list[list[_Found]], Diagnostics]:
    """Rank the memories for each query.

    Secondary queries are ranked for only if the main query finds too few. What is outdated for the main query
    is not among what they find.

    Returns:
        The best memories for each query, the main query first; how the main query was compared.
    """
    now = timezone.now()
    texts = (query.query, *query.secondary)
    parsed = [parse_query(redact_text(text).text, index.speakers, now) for text in texts]
    try:
        probes = probes_of([one.meaning for one in parsed], embedder)
    except ModelError as error:
        log.warning("query not embedded; searching by words", error=error.message)
        probes = [Probe()] * len(parsed)
    sentences, diagnostics = _embed_sentences(parsed, index)
    probes = [replace(probe, sentence=one) for probe, one in zip(probes, sentences, strict=True)]
    best: list[list[_Found]] = []
    for one, probe in zip(parsed, probes, strict=True):
        if best and len(_pass(best[0], query)) >= (query.limit or query.top_k):
            break  # what only the secondary queries find would come after these
        with _ONE_AT_A_TIME:
            ranked = rank_memories(index, one, probe, mask, now, top=query.top_k + _MORE_ROWS)
        found, lowered = _rows(index, ranked, one), ranked.outdated
        if not best and ranked.outdated.size:
            beside = _list_beside(index, one, ranked, owner=owner)
            found, lowered = _lower(index, found, beside), np.union1d(lowered, beside)
        mask = mask & ~np.isin(np.arange(mask.size), lowered)
        best.append(found)
    return best, diagnostics


def _list_beside(
    index: OwnerIndex, query: Query, ranked: RankedMemories, *, owner: UUID
) -> NDArray[np.int64]:
    """Return the rows of the messages of outdated memories, and of what else was learnt from these.

    Nothing if what replaces one came from the same source, which then tells of more than one time.
    """
    outdated = [UUID(bytes=cast("bytes", index.ids[row])) for row in ranked.outdated.tolist()]
    rows = index.rows_of(memory_id.bytes for memory_id in list_learnt_with(outdated, owner=owner))
    current = np.setdiff1d(ranked.replacing, ranked.outdated)
    if np.isin(current, rows).any():
        return rows[:0]
    rows = rows[~np.isin(rows, ranked.outdated)]
    return rows[~keeps_relevance(index, query, rows)]


def _lower(index: OwnerIndex, found: Sequence[_Found], rows: NDArray[np.int64]) -> list[_Found]:
    """Return ranked memories, of which these rows lose as much relevance as outdated ones, in their order."""
    ids = {index.ids[row] for row in rows.tolist()}
    lowered = (_lose(one) if one.memory_id in ids else one for one in found)
    return sorted(lowered, key=lambda one: -one.score)


def _lose(one: _Found) -> _Found:
    lost = round(one.relevance * conf.RECALL.outdated_loss, _DIGITS)
    score, relevance = round(one.score - lost, _DIGITS), round(one.relevance - lost, _DIGITS)
    return replace(one, score=score, relevance=relevance, breakdown=one.breakdown | {"outdated": lost})


def _choose(
    ranked: Sequence[Sequence[_Found]], query: SearchQuery
) -> tuple[list[list[_Found]], list[_Found]]:
    """Return what each query finds, and the best statements that are not relevant enough."""
    facts = (one for found in ranked for one in found if one.layer != Layer.EPISODIC)
    weak = [one for one in facts if not one.breakdown["outdated"] and not _passes(one, query)]
    return [_pass(found, query) for found in ranked], weak


def _pass(found: Sequence[_Found], query: SearchQuery) -> list[_Found]:
    """Return the first `top_k` of ranked memories as far as they are relevant enough."""
    return [one for one in found[: query.top_k] if _passes(one, query)]


def _embed_sentences(
    queries: Sequence[Query], index: OwnerIndex
) -> tuple[list[NDArray[np.float32] | None], Diagnostics]:
    """Return the sentence vectors of queries, as far as they are there in time, the main query's first."""
    vectors = get_query_vectors()
    share = index.kept("sentence share", lambda: _filled_share(index))
    if vectors is None or not share:
        return [None] * len(queries), Diagnostics()
    budget, share = settings.MEMSITE_EMBEDDING_BUDGET_MS / 1000, round(share, 3)
    found = vectors.get([one.meaning for one in queries], seconds=budget)
    if found[0] is None:
        return found, Diagnostics("late", share)
    least_need = _NAMED_NEED if queries[0].speaker or queries[0].subject else -np.inf
    return found, Diagnostics("used", share, max(estimate_need(found[0]), least_need))


def _filled_share(index: OwnerIndex) -> float:
    if index.sentences is None or not len(index):
        return 0.0
    return float(index.sentences.filled.mean())


def _rows(index: OwnerIndex, ranked: RankedMemories, parsed: Query) -> list[_Found]:
    """Return the ranked memories."""
    layers = index.column("layer")[ranked.rows]
    found: list[_Found] = []
    for place, memory_id in enumerate(ranked.ids):
        if isinstance(memory_id, bytes):
            breakdown = {
                part: round(float(values[place]), _DIGITS) for part, values in ranked.breakdown.items()
            }
            score, relevance = (round(float(of[place]), _DIGITS) for of in (ranked.score, ranked.relevance))
            found.append(_Found(memory_id, LAYERS[layers[place]], score, relevance, breakdown, parsed))
    return found


def _passes(one: _Found, query: SearchQuery) -> bool:
    """Return whether a ranked memory is relevant enough for its layer."""
    least = query.min_similarity
    return one.relevance >= (get_least_relevance(one.layer) if least is None else least)


def _only_secondary(others: list[list[_Found]], first: list[_Found], share: float) -> list[_Found]:
    """Return what only the secondary queries find, best first, each with the highest of its relevances."""
    first_ids = {one.memory_id for one in first}
    best: dict[bytes, _Found] = {}
    for one in sorted((one for found in others for one in found), key=lambda one: -one.score):
        if one.memory_id not in first_ids:
            best.setdefault(one.memory_id, replace(one, relevance=round(one.relevance * share, 4)))
    return list(best.values())


def _load(found: Sequence[_Found], *, owner: UUID) -> dict[bytes, Memory]:
    ids = [UUID(bytes=one.memory_id) for one in found]
    return {key.bytes: memory for key, memory in load_memories(ids, owner=owner).items()} if ids else {}


def _put_facts_for_messages(
    page: Sequence[_Found], weak: Sequence[_Found], memories: Mapping[bytes, Memory]
) -> list[_Found]:
    """Put facts in the place of the messages that they were learnt from, where these say no more.

    Relevance is weighed otherwise for statements than for turns. What says the same is as relevant.
    """
    found, facts = (
        [memories[one.memory_id] for one in ones if one.memory_id in memories] for ones in (page, weak)
    )
    equal = {key.bytes: fact for key, fact in find_equal_facts(found, facts).items()}
    return [
        replace(one, memory_id=equal[one.memory_id].pk.bytes, layer=Layer(equal[one.memory_id].layer))
        if one.memory_id in equal
        else one
        for one in page
    ]


def _facts_first(page: Sequence[_Found], memories: Mapping[bytes, Memory]) -> list[Hit]:
    """Return the hits of a page, with replies that repeat a fact, and questions, behind that fact.

    They get no higher score than what precedes them.
    """
    found = [one for one in page if one.memory_id in memories]
    hits: list[Hit] = []
    for place in move_behind_facts([memories[one.memory_id] for one in found]):
        one = found[place]
        score = min(one.score, hits[-1].score) if hits else one.score
        hits.append(Hit(memories[one.memory_id], score, one.relevance, one.breakdown, one.query))
    return hits


def _result(
    hits: list[Hit], found: list[_Found], index: OwnerIndex, diagnostics: Diagnostics
) -> SearchResult:
    memories = [hit.memory for hit in hits]
    return SearchResult(
        hits=tuple(hits),
        by_layer=dict(Counter(one.layer for one in found)),
        total_found=len(found),
        cold_start=False,
        suggestion="" if found else _no_hit(index),
        conflict_warning=warning_of(memories),
        conflicting_ids=list_disputed_ids(memories),
        diagnostics=diagnostics,
    )


def _no_hit(index: OwnerIndex) -> str:
    return f"None of {len(index)} memories is relevant enough; try other words or a lower min_similarity."


def _nothing(*, memory_on: bool) -> SearchResult:
    suggestion = "Nothing is remembered yet: add memories, or talk in a thread."
    return SearchResult(
        (), {}, 0, memory_on, suggestion if memory_on else "Memory is switched off for this person.", "", ()
    )
