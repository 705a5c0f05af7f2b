"""Search long-term memory for a context within a time limit, and render the hits as neutralised lines.

For an input of polite words or a sum nothing is searched; for one that only refers to earlier messages, these
are the query. The requirements are loaded for every input, unless it is about a time in the past.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings

from memories import ports
from memories.models import Memory
from memories.retrieval import (
    Diagnostics,
    Hit,
    SearchQuery,
    SearchResult,
    adds_little,
    begin_query,
    search_memories,
)
from memories.values import Layer, Status
from memsite.llm.tokens import DEFAULT_ENCODING, count_tokens
from threads.conf import (
    CONTEXT,
    LINE_TOKENS,
    NEARBY_RELEVANCE,
    QUERY_CHARACTERS,
    RECALL_HITS,
    RECALL_LEAST_HITS,
    SECONDARY_HITS,
    SECONDARY_SHARE,
)
from threads.context.recall.remarks import Remark
from threads.context.recall.requirements import Requirement, load_requirements
from threads.context.recall.timebox import TimeLimitExceeded, start_within
from threads.context.recall.vagueness import QueryDemand, classify_query
from threads.prompt import neutralise_text
from threads.visibility import parse_references

LINE_OVERHEAD: Final = 3  # upper bound of the tokens of "- " and the line break


@dataclass(frozen=True, slots=True)
class RenderedMemory:
    """A memory rendered as a line of a context.

    Attributes:
        tokens: Upper bound of the line's tokens.
        sources: Ids of the messages that the memory came from.
    """

    hit: Hit
    line: str
    tokens: int
    sources: frozenset[UUID]

    @property
    def is_relevant(self) -> bool:
        """Whether its own relevance is high enough to include it."""
        return self.hit.relevance >= CONTEXT.relevance


@dataclass(frozen=True, slots=True)
class RecallResult:
    """Memories that may be included.

    Attributes:
        memories: The rendered memories, best first, without the requirements.
        requirements: What the person wants the answer to respect, as far as its budget goes.
        trouble: Why recall failed; empty if it did not.
        note: Why the input itself was not used as the query, or how memories were compared otherwise than by
            sentence vectors; empty if neither.
        outdated: At most 5 memories that are left out because a newer statement makes them outdated.
    """

    memories: tuple[RenderedMemory, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    trouble: str = ""
    note: str = ""
    outdated: tuple[RenderedMemory, ...] = ()

    @property
    def left_out(self) -> tuple[tuple[RenderedMemory, str], ...]:
        """The outdated memories, each with the reason why it is left out."""
        return tuple((one, Remark.OUTDATED) for one in self.outdated)


@dataclass(frozen=True, slots=True)
class Moment:
    """The two times of recall: when it was true, and when we believed it. None is now."""

    as_of: datetime | None = None
    believed_at: datetime | None = None


def expect_recall(query: str, *, owner: UUID) -> None:
    """Begin what takes longest of the recall for an input that follows. Makes no statement."""
    if classify_query(query) is not QueryDemand.NOTHING:
        begin_query(shorten_query(query), owner=owner)


def begin_recall(
    query: str,
    secondary: Sequence[str],
    *,
    owner: UUID,
    thread_id: UUID | None,
    room: int,
    moment: Moment,
    encoding: str = DEFAULT_ENCODING,
    nearby: bool = True,
) -> Callable[[], RecallResult]:
    """Begin to search by the input and, with lower priority, by each of the last messages.

    The search takes at most MEMSITE_CONTEXT_RECALL_MS. Hits of the last messages alone come after all hits of
    the input, however relevant. Each message is a query of its own, because a memory that answers one of them
    covers little of all their words.

    Args:
        query: The input.
        secondary: The last messages, oldest first.
        thread_id: Thread in which memories are recalled; None outside of any.
        room: Tokens, in `encoding`, that memories can take at most. Limits the number of hits requested.
        moment: The times that the search refers to.
        nearby: Whether also to load memories that are too irrelevant by themselves, but may be added because
            they were said near a relevant one.

    Returns:
        A function that waits for the result.
    """
    is_searched = classify_query(query) is not QueryDemand.NOTHING
    search, note = _plan_search(query, secondary, room, moment)
    if not nearby:  # relevant hits of the input alone may then fill the room, and no others are looked for
        search = replace(search, min_similarity=CONTEXT.relevance, limit=search.top_k)

    def ask() -> RecallResult:
        hidden = ports.hidden(thread_id, owner=owner)
        found = search_memories(search, owner=owner, hidden=hidden) if is_searched else None
        requirements: tuple[Requirement, ...] = ()
        if moment == Moment():
            by_field = found.by_field if found is not None else None
            requirements = load_requirements(
                query, by_field, owner=owner, hidden=hidden, room=room, encoding=encoding
            )
        if found is None:
            return RecallResult(requirements=requirements, note=Remark.NO_QUERY)
        answer = _collect(found, requirements, encoding)
        return replace(answer, note=note or _describe_comparison(found.diagnostics))

    def finish() -> RecallResult:
        try:
            return wait()
        except TimeLimitExceeded as late:
            return RecallResult(trouble=f"memories were left out: {late.reason}")

    try:
        wait = start_within(settings.MEMSITE_CONTEXT_RECALL_MS, ask)
    except TimeLimitExceeded as late:
        trouble = f"memories were left out: {late.reason}"
        return lambda: RecallResult(trouble=trouble)
    return finish


def _collect(found: SearchResult, requirements: tuple[Requirement, ...], encoding: str) -> RecallResult:
    """Return what a search found, without the requirements, and what it left out as outdated."""
    required = {one.memory_id for one in requirements}
    shown = [row for rows in (found.by_field or {}).values() for row in rows if row.pk in required]
    hits = [hit for hit in found.hits if hit.memory.pk not in required and not _repeats(hit.memory, shown)]
    outdated = [
        hit
        for hit in found.outdated
        if hit.relevance + hit.breakdown["outdated"] >= CONTEXT.relevance and hit.memory.pk not in required
    ]
    memories, left_out = (tuple(render_memory(hit, encoding) for hit in each) for each in (hits, outdated))
    return RecallResult(memories, requirements, outdated=left_out)


def _repeats(turn: Memory, required: Sequence[Memory]) -> bool:
    """Return whether a turn says little more than the requirements that were learnt from it."""
    sources = set(turn.source_references)
    return adds_little(turn, [one for one in required if not sources.isdisjoint(one.source_references)])


def _plan_search(query: str, secondary: Sequence[str], room: int, moment: Moment) -> tuple[SearchQuery, str]:
    """Return what is searched for, and why that is not the input itself; empty if it is."""
    before = tuple(shorten_query(text) for text in reversed(secondary) if text.strip())
    points = classify_query(query) is QueryDemand.THE_SAME and bool(before)
    most = max(RECALL_LEAST_HITS, min(RECALL_HITS, room // LINE_TOKENS))
    search = SearchQuery(
        query=before[0] if points else shorten_query(query),
        secondary=before[1:] if points else before,
        secondary_share=1 if points else SECONDARY_SHARE,
        top_k=most,
        limit=most + SECONDARY_HITS,
        min_similarity=NEARBY_RELEVANCE,
        as_of=moment.as_of,
        believed_at=moment.believed_at,
    )
    return search, Remark.LAST_QUERY if points else ""


def _describe_comparison(diagnostics: Diagnostics) -> str:
    """Return what was not compared by sentence vectors though the site has them; empty if all was."""
    if diagnostics.sentence_vectors == "late":
        return Remark.WORDS_ALONE
    some_lack_vectors = diagnostics.sentence_vectors == "used" and diagnostics.sentence_share < 1
    return Remark.SOME_BY_WORDS if some_lack_vectors else ""


def render_memory(hit: Hit, encoding: str = DEFAULT_ENCODING) -> RenderedMemory:
    """Render a hit as a line: date and speaker of an episode, else date and kind, then the content."""
    line = render_line(hit.memory)
    references = getattr(hit.memory, "source_references", ())
    tokens = count_tokens(line, encoding) + LINE_OVERHEAD
    return RenderedMemory(hit, line, tokens, frozenset(parse_references(references)))


def render_line(memory: Memory) -> str:
    """Return the line of a memory, neutralised."""
    return f"[{_heading(memory)}] {neutralise_text(memory.content)}"


def shorten_query(text: str) -> str:
    """Return the beginning and the end of a long text: the question is at one of the two."""
    if len(text) <= QUERY_CHARACTERS:
        return text
    half = QUERY_CHARACTERS // 2
    return f"{text[:half]} {text[-half:]}"


def _heading(memory: Memory) -> str:
    day = memory.occurred_at or memory.valid_from
    parts = [day.date().isoformat()] if day is not None else []
    if memory.layer == Layer.EPISODIC:
        parts += [neutralise_text(memory.speaker, 60)] if memory.speaker else []
    else:
        parts.append(memory.kind)
    if memory.status == Status.DISPUTED:
        parts.append(Status.DISPUTED)
    return ", ".join(parts) or memory.kind
