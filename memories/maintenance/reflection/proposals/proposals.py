"""What flows through reflection: what was asked for, and what it proposes to write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from memories.models import Memory
from memories.values import Candidate
from memsite.errors import Conflict

Kind = Literal["facts", "patterns", "compress", "infer"]
KINDS: Final[tuple[Kind, ...]] = ("facts", "patterns", "compress", "infer")
Source = Literal["recent", "topic", "all"]

ACTOR: Final = "reflection"
LLM: Final = "llm"
FALLBACK: Final = "fallback"


class MovedMeanwhile(Conflict):
    """What was looked at changed while it was thought about."""


class TooMuch(Conflict):
    """The proposal would retire more memories than one job may."""


@dataclass(frozen=True, slots=True)
class Request:
    """What one run is asked for.

    ids: the memories to look at; empty: chosen by layer, source and topic_query.
    """

    kind: Kind
    ids: tuple[UUID, ...] = ()
    layer: str = ""
    source: Source = "all"
    topic_query: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One candidate with the memories that show it. occurrences: how many of these count, at least 1."""

    candidate: Candidate
    occurrences: int = 1


@dataclass(frozen=True, slots=True)
class Compression:
    """Several memories as one. sources: the rows as they were seen, oldest first."""

    content: str
    sources: tuple[Memory, ...]
    preserved_facts: tuple[str, ...]
    dropped_redundant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a run would write; nothing of it has been written.

    source: `llm` or `fallback`; error: why the model did not answer, or why nothing is proposed.
    seen: when each row it rests on had last changed. refused: proposals our checks turned down.
    """

    source: str = FALLBACK
    error: str = ""
    looked_at: int = 0
    findings: tuple[Finding, ...] = ()
    compression: Compression | None = None
    refused: int = 0
    seen: Mapping[UUID, datetime] = field(default_factory=dict)


def kind_of(text: str) -> Kind:
    """A kind of reflection by its name. Raises ValueError for any other."""
    for kind in KINDS:
        if kind == text:
            return kind
    raise ValueError("this is no kind of reflection")


def seen(memories: Iterable[Memory]) -> dict[UUID, datetime]:
    """When each row last changed, for `writing` to compare."""
    return {memory.pk: memory.updated_at for memory in memories}


def reference_to(memory_id: UUID) -> str:
    """How a memory names another as its source: what it was learnt from counts once."""
    return f"memory:{memory_id}"
