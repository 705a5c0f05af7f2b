"""Search the memories of one owner.

A search takes at most 4 statements, or 5 if a memory is outdated, whatever the number of memories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from memories.gate import redact_text
from memories.models import Memory
from memories.retrieval.cache import get_query_vectors, index_cache, load_recall_state
from memories.retrieval.eligibility import mask_active, mask_former, mask_matching
from memories.retrieval.explaining import list_disputed_ids, warning_of
from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import parse_query
from memories.retrieval.search.echoes import find_equal_facts, move_behind_facts
from memories.retrieval.search.fields import keep_requirements
from memories.retrieval.search.rankings import Found, list_passing, passes, rank_queries
from memories.retrieval.values import Diagnostics, Hit, SearchOrder, SearchQuery, SearchResult
from memories.storage import MemoryFilter, list_memories, load_memories
from memories.text import RequirementTag
from memories.values import Layer, Status
from memsite.llm.embedding import get_embedder

#: Statements below the threshold that may take the place of their message.
_MORE_FACTS: Final = 5
#: Memories that are named as left out because they are outdated.
_MOST_OUTDATED: Final = 5
_RECALLED: Final = (Status.ACTIVE, Status.DISPUTED)


def begin_query(text: str, *, owner: UUID) -> None:
    """Begin to embed a query whose search follows, so that less of its time is left to wait for.

    Only if the owner's index is in this process: it knows the speakers, whose names are not embedded.

    Args:
        text: The query.
        owner: Owner of the memories.
    """
    vectors, index = get_query_vectors(), index_cache().peek(owner)
    if vectors is not None and index is not None:
        vectors.begin(parse_query(redact_text(text).text, index.speakers, timezone.now()).gist)


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
    mask, over = _eligible(index, query, owner=owner, hidden=hidden, reopened=state.reopened)
    ranking = rank_queries(index, query, mask, embedder, over=over, owner=owner, version=state.version)
    (found, *others), weak = _choose(ranking.found, query)
    found += _only_secondary(others, found, query.secondary_share)
    if query.order != "relevance":
        found = _sort(found, index, query.order)
    page = slice(query.offset, query.offset + (query.limit or query.top_k))
    has_turns = any(one.layer == Layer.EPISODIC for one in found[page])
    weak = _only_secondary([weak], found, 1)[:_MORE_FACTS] if has_turns else []
    outdated = _find_outdated(ranking.found[0], query)
    of_fields = {key for ids in (ranking.by_field or {}).values() for key in ids}
    memories = _load([*found[page], *weak, *outdated], of_fields, owner=owner)
    found[page] = _put_facts_for_messages(found[page], weak, memories)
    hits = _facts_first(found[page], memories)
    if query.order != "relevance":
        place = {one.memory_id: at for at, one in enumerate(found[page])}
        hits.sort(key=lambda hit: place[hit.memory.pk.bytes])
    result = _result(hits, found, index, ranking.diagnostics)
    by_field = _keep_by_field(ranking.by_field, memories)
    return replace(result, outdated=_make_outdated_hits(outdated, memories), by_field=by_field)


def _eligible(
    index: OwnerIndex,
    query: SearchQuery,
    *,
    owner: UUID,
    hidden: frozenset[UUID],
    reopened: Collection[UUID] = (),
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the rows that may be found, and which of `index.former.facts` are over."""
    now = timezone.now()
    again = index.rows_of(memory_id.bytes for memory_id in reopened) if reopened else None
    moment = query.as_of or now, query.believed_at or now
    mask = mask_active(index, *moment, again)
    mask &= mask_matching(
        index,
        layers=query.layers,
        kinds=query.kinds,
        categories=query.categories,
        statuses=_statuses(query),
        speaker=query.speaker,
        reopened=again,
    )
    if query.subject or query.tags or query.metadata or query.since or query.until:
        mask &= _filtered(index, query, owner=owner)
    if hidden:
        mask[index.rows_of(memory_id.bytes for memory_id in hidden)] = False
    return mask, mask_former(index, *moment, again)


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
        metadata=query.metadata,
        since=query.since,
        until=query.until,
    )
    ids = list_memories(filters, owner=owner).values_list("id", flat=True)
    mask = np.zeros(len(index), dtype=bool)
    mask[index.rows_of(memory_id.bytes for memory_id in ids)] = True
    return mask


def _sort(found: Sequence[Found], index: OwnerIndex, order: SearchOrder) -> list[Found]:
    """Return what was found by when it was written, or by importance."""
    column = index.number("importance" if order == "importance" else "created_at")
    value = {one.memory_id: float(column[index.rows_of([one.memory_id])[0]]) for one in found}
    return sorted(found, key=lambda one: value[one.memory_id], reverse=order != "oldest")


def _choose(ranked: Sequence[Sequence[Found]], query: SearchQuery) -> tuple[list[list[Found]], list[Found]]:
    """Return what each query finds, and the best statements that are not relevant enough."""
    facts = (one for found in ranked for one in found if one.layer != Layer.EPISODIC)
    weak = [one for one in facts if not one.breakdown["outdated"] and not passes(one, query)]
    return [list_passing(found, query) for found in ranked], weak


def _only_secondary(others: list[list[Found]], first: list[Found], share: float) -> list[Found]:
    """Return what only the secondary queries find, best first, each with the highest of its relevances."""
    first_ids = {one.memory_id for one in first}
    best: dict[bytes, Found] = {}
    for one in sorted((one for found in others for one in found), key=lambda one: -one.score):
        if one.memory_id not in first_ids:
            best.setdefault(one.memory_id, replace(one, relevance=round(one.relevance * share, 4)))
    return list(best.values())


def _find_outdated(ranked: Sequence[Found], query: SearchQuery) -> list[Found]:
    """Return the best of what a newer statement alone keeps from being relevant enough, statements first."""
    before = [
        (one.layer == Layer.EPISODIC, -one.relevance - one.breakdown["outdated"], place)
        for place, one in enumerate(ranked)
        if one.breakdown["outdated"]
        and not passes(one, query)
        and passes(replace(one, relevance=one.relevance + one.breakdown["outdated"]), query)
    ]
    return [ranked[place] for *_, place in sorted(before)[:_MOST_OUTDATED]]


def _make_outdated_hits(outdated: Sequence[Found], memories: Mapping[bytes, Memory]) -> tuple[Hit, ...]:
    """Return the hits of outdated memories, without the messages of the statements among them."""
    sources: set[str] = set()
    hits: list[Hit] = []
    for one in outdated:
        memory = memories.get(one.memory_id)
        if memory is None or (
            one.layer == Layer.EPISODIC and not sources.isdisjoint(memory.source_references)
        ):
            continue
        sources.update(memory.source_references)
        hits.append(Hit(memory, one.score, one.relevance, dict(one.breakdown), one.query))
    return tuple(hits)


def _keep_by_field(
    by_field: Mapping[RequirementTag, tuple[bytes, ...]] | None, memories: Mapping[bytes, Memory]
) -> dict[RequirementTag, tuple[Memory, ...]] | None:
    """Return for each field of the query the memories that may be requirements."""
    if by_field is None:
        return None
    return {
        field: keep_requirements([memories[key] for key in ids if key in memories])
        for field, ids in by_field.items()
    }


def _load(found: Sequence[Found], more: Collection[bytes], *, owner: UUID) -> dict[bytes, Memory]:
    ids = [UUID(bytes=key) for key in {*(one.memory_id for one in found), *more}]
    return {key.bytes: memory for key, memory in load_memories(ids, owner=owner).items()} if ids else {}


def _put_facts_for_messages(
    page: Sequence[Found], weak: Sequence[Found], memories: Mapping[bytes, Memory]
) -> list[Found]:
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


def _facts_first(page: Sequence[Found], memories: Mapping[bytes, Memory]) -> list[Hit]:
    """Return the hits of a page, with replies that repeat a fact, and questions, behind that fact.

    They get no higher score than what precedes them.
    """
    found = [one for one in page if one.memory_id in memories]
    hits: list[Hit] = []
    for place in move_behind_facts([memories[one.memory_id] for one in found]):
        one = found[place]
        score = min(one.score, hits[-1].score) if hits else one.score
        hits.append(Hit(memories[one.memory_id], score, one.relevance, dict(one.breakdown), one.query))
    return hits


def _result(hits: list[Hit], found: list[Found], index: OwnerIndex, diagnostics: Diagnostics) -> SearchResult:
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
