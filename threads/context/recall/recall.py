"""What long-term memory has to say in a context: asked within a time box, told as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings

from memories import ports
from memories.models import Memory, Status
from memories.retrieval import Hit, SearchQuery, search
from memories.values import EPISODIC
from memsite.llm.tokens import DEFAULT_ENCODING, count_tokens
from threads.conf import (
    LINE_TOKENS,
    NEARBY_RELEVANCE,
    QUERY_CHARACTERS,
    RECALL_HITS,
    RECALL_LEAST_HITS,
    RECALL_RELEVANCE,
    SECONDARY_HITS,
)
from threads.context.recall.timebox import TooLate, within
from threads.context.recall.vagueness import Wanted, wanted_by
from threads.prompt import neutralise
from threads.visibility import messages_named

_NOTHING_ASKED: Final = "no memories were looked for: the input asks for nothing that could be remembered"
_LAST_ASKED: Final = "memories were looked for by the last messages: the input only goes on from them"
LINE_OVERHEAD: Final = 3  # tokens of "- " and the line's end, at most


@dataclass(frozen=True, slots=True)
class Told:
    """A memory as a line of a context. tokens: what the line costs; sources: messages it came from."""

    hit: Hit
    line: str
    tokens: int
    sources: frozenset[UUID]

    @property
    def is_relevant(self) -> bool:
        """Whether it may go in for what it says itself."""
        return self.hit.relevance >= RECALL_RELEVANCE


@dataclass(frozen=True, slots=True)
class Recalled:
    """Memories that may go in, best first.

    trouble: why there are none, if something went wrong; note: why the input itself was not looked for.
    """

    told: tuple[Told, ...] = ()
    trouble: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """The two clocks of recall: the world as of, and as we believed at; both default to now."""

    as_of: datetime | None = None
    believed_at: datetime | None = None


def recall(
    query: str,
    secondary: Sequence[str],
    *,
    owner: UUID,
    thread_id: UUID,
    room: int,
    moment: Moment,
    encoding: str = DEFAULT_ENCODING,
) -> Recalled:
    """Search by the input, and less by the last messages, for at most MEMSITE_CONTEXT_RECALL_MS.

    room: tokens, in this encoding, that the memories could have at most; no more of them are asked for than
    fit. What only the last messages find comes after everything the input finds, however relevant. An input
    of polite words or a sum finds nothing; one that only points at what was said finds what that finds.
    """
    wanted = wanted_by(query)
    if wanted is Wanted.NOTHING:
        return Recalled(note=_NOTHING_ASKED)
    said = "\n".join(secondary)
    points = wanted is Wanted.THE_SAME and bool(said.strip())
    most = max(RECALL_LEAST_HITS, min(RECALL_HITS, room // LINE_TOKENS))
    asked = SearchQuery(
        query=shortened(said if points else query),
        secondary="" if points else shortened(said),
        top_k=most,
        limit=most + SECONDARY_HITS,
        min_similarity=NEARBY_RELEVANCE,
        as_of=moment.as_of,
        believed_at=moment.believed_at,
    )

    def ask() -> tuple[Told, ...]:
        hidden = ports.hidden(thread_id, owner=owner)
        return tuple(told(hit, encoding) for hit in search(asked, owner=owner, hidden=hidden).hits)

    try:
        note = _LAST_ASKED if points else ""
        return Recalled(within(settings.MEMSITE_CONTEXT_RECALL_MS, ask), note=note)
    except TooLate as late:
        return Recalled(trouble=f"memories were left out: {late.reason}")


def told(hit: Hit, encoding: str = DEFAULT_ENCODING) -> Told:
    """A hit as a line: when and by whom it was said, or what kind of knowledge it is, and the words."""
    line = f"[{_heading(hit.memory)}] {neutralise(hit.memory.content)}"
    references = getattr(hit.memory, "source_references", ())
    tokens = count_tokens(line, encoding) + LINE_OVERHEAD
    return Told(hit, line, tokens, frozenset(messages_named(references)))


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
