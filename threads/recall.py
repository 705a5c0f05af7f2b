"""What long-term memory has to say in a context: asked within a time box, chosen by worth, told as data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings

from memories import ports
from memories.candidates import EPISODIC
from memories.models import Memory
from memories.models.memory import Status
from memories.retrieval.search import Hit, SearchQuery, search
from memsite.llm.tokens import count_tokens
from threads.conf import QUERY_CHARACTERS, RECALL_HITS, RECALL_RELEVANCE, RECALL_SURE
from threads.fence import neutralise
from threads.provenance import messages_named
from threads.timebox import TooLate, within

LINE_OVERHEAD: Final = 3  # tokens of "- " and the line's end, at most


@dataclass(frozen=True, slots=True)
class Told:
    """A memory as a line of a context. tokens: what the line costs; sources: messages it came from."""

    hit: Hit
    line: str
    tokens: int
    sources: frozenset[UUID]

    @property
    def worth(self) -> float:
        """Relevance per token."""
        return self.hit.relevance / self.tokens


@dataclass(frozen=True, slots=True)
class Recalled:
    """Memories at or over 0.7, most relevant first. trouble: why there are none, if something went wrong."""

    told: tuple[Told, ...] = ()
    trouble: str = ""


def recall(
    query: str,
    secondary: str,
    *,
    owner: UUID,
    thread_id: UUID,
    as_of: datetime | None = None,
    believed_at: datetime | None = None,
) -> Recalled:
    """Search by the input, and less by the last messages, for at most MEMSITE_CONTEXT_RECALL_MS."""
    wanted = SearchQuery(
        query=shortened(query),
        secondary=shortened(secondary),
        top_k=RECALL_HITS,
        min_similarity=RECALL_RELEVANCE,
        as_of=as_of,
        believed_at=believed_at,
    )

    def ask() -> tuple[Told, ...]:
        hidden = ports.hidden(thread_id, owner=owner)
        hits = search(wanted, owner=owner, hidden=hidden).hits
        sure = [hit for hit in hits if hit.relevance >= RECALL_RELEVANCE]
        return tuple(told(hit) for hit in sorted(sure, key=lambda hit: -hit.relevance))

    try:
        return Recalled(within(settings.MEMSITE_CONTEXT_RECALL_MS, ask))
    except TooLate as late:
        return Recalled(trouble=f"memories were left out: {late.reason}")


def choose(candidates: Sequence[Told], *, room: int, budget: int, overhead: int) -> list[Told]:
    """The best three if there is room at all, then by relevance per token while the budget lasts.

    room: tokens that are free, which nothing may exceed; budget: those of `retrieved`; overhead: what
    the block costs besides its lines. Most relevant first; empty where the overhead alone is too much.
    """
    chosen: list[Told] = []
    spent = overhead
    for one in candidates[:RECALL_SURE]:
        if spent + one.tokens <= room:
            chosen.append(one)
            spent += one.tokens
    for one in sorted(candidates[RECALL_SURE:], key=lambda one: -one.worth):
        if spent + one.tokens <= min(budget, room):
            chosen.append(one)
            spent += one.tokens
    return sorted(chosen, key=lambda one: -one.hit.relevance)


def not_said_here(candidates: Sequence[Told], said: Collection[UUID], here: Collection[UUID]) -> list[Told]:
    """Those that the context does not hold already: not every message of this thread they came from is in it.

    said: messages in the context; here: which of the sources are messages of this thread.
    """

    def is_said(one: Told) -> bool:
        own = one.sources.intersection(here)
        return bool(own) and own.issubset(said)

    return [one for one in candidates if not is_said(one)]


def told(hit: Hit) -> Told:
    """A hit as a line: when and by whom it was said, or what kind of knowledge it is, and the words."""
    line = f"[{_heading(hit.memory)}] {neutralise(hit.memory.content)}"
    references = getattr(hit.memory, "source_references", ())
    return Told(hit, line, count_tokens(line) + LINE_OVERHEAD, frozenset(messages_named(references)))


def shortened(text: str) -> str:
    """The beginning and the end of a long text: what is asked stands at one or the other."""
    if len(text) <= QUERY_CHARACTERS:
        return text
    half = QUERY_CHARACTERS // 2
    return f"{text[:half]} {text[-half:]}"


def _heading(memory: Memory) -> str:
    day = memory.occurred_at or memory.valid_from
    parts = [day.date().isoformat()] if day is not None else []
    if memory.layer == EPISODIC:
        parts += [neutralise(memory.speaker, 60)] if memory.speaker else []
    else:
        parts.append(memory.kind)
    if memory.status == Status.DISPUTED:
        parts.append("disputed")
    return ", ".join(parts) or memory.kind
