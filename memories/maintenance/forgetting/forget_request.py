"""Forget memories on request ("forget about …"), in two steps.

First the matches are listed, each with the reason; then the chosen ids are forgotten as one batch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from memories import curation
from memories.curation import ChangeResult, list_derived, list_earlier_wordings
from memories.gate import redact_text
from memories.models import Entity, Memory, Mention
from memories.retrieval import SearchQuery, search_memories
from memories.storage import MemoryFilter, attach_links, get_memories, list_memories
from memories.text import OWNER, analyse_text, list_name_candidates, unpack_terms
from memories.values import Layer, Status

#: The most memories listed at once. If there are more, ask again after forgetting these.
MOST: Final = 1000
_LIVE: Final = (Status.ACTIVE, Status.DISPUTED, Status.PENDING)
_LEAST_NAME: Final = 2  # characters; shorter names of entities are not recognised in a query

BY_MEANING: Final = "close in meaning"
BY_WORDS: Final = "says these words"
BY_FILTER: Final = "matches the filters"
EARLIER: Final = "an earlier wording of one of these"
DERIVED: Final = "came of one of these"


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """A request to forget. `query` is what it is about; the other fields narrow it, or are used alone."""

    query: str = ""
    layers: tuple[Layer, ...] = ()
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subject: str = ""
    speaker: str = ""
    session: str = ""
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ForgetMatch:
    """A memory that would be forgotten, and why it is listed."""

    memory: Memory
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForgetPreview:
    """The memories that match a request.

    Attributes:
        matches: The memories that the request is about.
        derived: Memories derived only from these; they are forgotten only if asked for.
        more: Whether there are more than could be listed.
    """

    matches: tuple[ForgetMatch, ...]
    derived: tuple[ForgetMatch, ...]
    more: bool


def preview_by_request(request: ForgetRequest, *, owner: UUID) -> ForgetPreview:
    """List what a request matches, and change nothing.

    With a query, these are the memories that search finds, those with all of its words, and those that
    mention an entity it names (and have its other words), with earlier wordings of all of these. Without a
    query, these are all memories that pass the filters.
    """
    reasons: dict[UUID, list[str]] = {}
    for reason, ids in _find_matches(request, owner=owner):
        for memory_id in ids:
            reasons.setdefault(memory_id, []).append(reason)
    for memory_id in sorted(list_earlier_wordings(reasons, owner=owner)):
        reasons[memory_id] = [EARLIER]
    chosen = list(reasons)[:MOST]
    matches = _matches(chosen, reasons, owner=owner)
    derived = list_derived([match.memory.pk for match in matches], owner=owner) - set(reasons)
    because = {memory_id: [DERIVED] for memory_id in derived}
    return ForgetPreview(matches, _matches(sorted(derived), because, owner=owner), len(reasons) > MOST)


def preview_by_ids(memory_ids: Sequence[UUID], *, owner: UUID) -> ForgetPreview:
    """List these memories and what was derived from them, and change nothing.

    Raises:
        NotFound: If any is missing.
    """
    found = get_memories(memory_ids, owner=owner)
    derived = list_derived(memory_ids, owner=owner)
    because = {memory_id: [DERIVED] for memory_id in derived}
    attach_links(found, owner=owner)
    return ForgetPreview(
        tuple(ForgetMatch(memory, ()) for memory in found),
        _matches(sorted(derived), because, owner=owner),
        more=False,
    )


def forget_listed(
    memory_ids: Sequence[UUID], *, owner: UUID, actor: str, with_derived: bool = False
) -> ChangeResult:
    """Forget these memories as one batch; with `with_derived`, also what was derived only from them.

    Raises:
        NotFound: If any is missing.
    """
    derived = sorted(list_derived(memory_ids, owner=owner)) if with_derived else []
    return curation.forget_memories([*memory_ids, *derived], owner=owner, actor=actor)


def _find_matches(request: ForgetRequest, *, owner: UUID) -> Iterable[tuple[str, Collection[UUID]]]:
    """Yield the ids for each reason, the strongest reason first."""
    if not request.query.strip():
        yield BY_FILTER, _filtered(request, owner=owner).values_list("id", flat=True)[: MOST + 1]
        return
    text = redact_text(request.query).text
    query_terms = _terms(text)
    rows = {
        memory_id: set(unpack_terms(bytes(terms)).tolist())
        for memory_id, terms in _filtered(request, owner=owner).values_list("id", "terms")
    }
    for name, mentioned in _named(text, owner=owner):
        others = query_terms - _terms(name)
        yield f"names {name}", [one for one in rows if one in mentioned and others <= rows[one]]
    yield BY_WORDS, [one for one in rows if query_terms and query_terms <= rows[one]]
    yield BY_MEANING, [one for one in _find_similar(request, owner=owner) if one in rows]


def _filtered(request: ForgetRequest, *, owner: UUID) -> QuerySet[Memory]:
    """Return the memories that pass the filters and are not forgotten, newest first."""
    filters = MemoryFilter(
        layer=request.layers,
        kind=request.kinds,
        category=request.categories,
        subject=(request.subject,) if request.subject else (),
        speaker=(request.speaker,) if request.speaker else (),
        session=(request.session,) if request.session else (),
        tags=request.tags,
        since=request.since,
        until=request.until,
    )
    return list_memories(filters, owner=owner).filter(forgotten_at=None).order_by("-created_at", "-id")


def _terms(text: str) -> set[int]:
    return set(unpack_terms(analyse_text(text).terms).tolist())


def _named(text: str, *, owner: UUID) -> list[tuple[str, set[UUID]]]:
    """Return the entities that a text names, longest name first, each with the memories that mention it."""
    keys = {key for key in list_name_candidates(text) if len(key) >= _LEAST_NAME and key != OWNER}
    named = dict(Entity.objects.filter(owner_id=owner, key__in=keys).values_list("id", "name"))
    mentions: dict[UUID, set[UUID]] = {}
    rows = Mention.objects.filter(owner_id=owner, entity_id__in=named)
    for entity, memory in rows.values_list("entity_id", "memory_id"):
        mentions.setdefault(entity, set()).add(memory)
    longest_first = sorted(mentions, key=lambda entity: -len(named[entity]))
    return [(named[entity], mentions[entity]) for entity in longest_first]


def _find_similar(request: ForgetRequest, *, owner: UUID) -> list[UUID]:
    query = SearchQuery(
        query=request.query,
        layers=request.layers,
        kinds=request.kinds,
        categories=request.categories,
        subject=request.subject,
        speaker=request.speaker,
        tags=request.tags,
        since=request.since,
        until=request.until,
        statuses=_LIVE,
        top_k=MOST,
    )
    return [hit.memory.pk for hit in search_memories(query, owner=owner).hits]


def _matches(
    memory_ids: Sequence[UUID], reasons: Mapping[UUID, Sequence[str]], *, owner: UUID
) -> tuple[ForgetMatch, ...]:
    rows = list_memories(owner=owner).filter(forgotten_at=None).in_bulk(list(memory_ids))
    attach_links(rows.values(), owner=owner)
    return tuple(ForgetMatch(rows[one], tuple(reasons[one])) for one in memory_ids if one in rows)
