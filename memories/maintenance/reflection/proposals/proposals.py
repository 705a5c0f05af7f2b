"""The data types of reflection: requests and proposals, and the limit of what one job may change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from memories.maintenance.reflection.conf import RETIRED_AT_LEAST, RETIRED_SHARE
from memories.models import Memory
from memories.storage import list_active_memories
from memories.values import Candidate, Layer
from memsite.errors import Conflict
from memsite.llm.chat import AnswerSource
from memsite.values import TextEnum

Source = Literal["recent", "topic", "all"]

ACTOR: Final = "reflection"


class ReflectionKind(TextEnum):
    """A part of a run of reflection, in the order of a full run."""

    FACTS = "facts"
    PATTERNS = "patterns"
    COMPRESS = "compress"
    INFER = "infer"


class MovedMeanwhile(Conflict):
    """A memory changed while a proposal based on it was made."""


class TooManyRetired(Conflict):
    """The proposal would retire more memories than one job may."""


@dataclass(frozen=True, slots=True)
class ReflectionRequest:
    """A request for one kind of reflection.

    Attributes:
        ids: Memories to examine; empty selects them by layer, source and topic_query.
    """

    kind: ReflectionKind
    ids: tuple[UUID, ...] = ()
    layer: Layer | None = None
    source: Source = "all"
    topic_query: str = ""


@dataclass(frozen=True, slots=True)
class ProposedMemory:
    """A candidate and the number of memories that count as occurrences, at least 1."""

    candidate: Candidate
    occurrences: int = 1


@dataclass(frozen=True, slots=True)
class Compression:
    """Several memories as one text.

    Attributes:
        sources: The rows as they were read, oldest first.
    """

    content: str
    sources: tuple[Memory, ...]
    preserved_facts: tuple[str, ...]
    dropped_redundant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReflectionProposal:
    """The changes that a run proposes. Nothing has been written yet.

    Attributes:
        error: Why the model did not answer, or why nothing is proposed.
        looked_at: Number of memories examined.
        refused: Number of proposals that failed a check.
        seen: Time of the last change of each source.
    """

    source: AnswerSource = AnswerSource.FALLBACK
    error: str = ""
    looked_at: int = 0
    memories: tuple[ProposedMemory, ...] = ()
    compression: Compression | None = None
    refused: int = 0
    seen: Mapping[UUID, datetime] = field(default_factory=dict)


def get_update_times(memories: Iterable[Memory]) -> dict[UUID, datetime]:
    """Return the time of the last change of each row, for `writing` to compare."""
    return {memory.pk: memory.updated_at for memory in memories}


def make_reference(memory_id: UUID) -> str:
    """Return the source reference to a memory. Statements from the same source count once."""
    return f"memory:{memory_id}"


def may_retire(*, owner: UUID) -> int:
    """Return how many memories one job may retire: 5 % of the active ones, but at least 20."""
    return max(RETIRED_AT_LEAST, int(list_active_memories(owner=owner).count() * RETIRED_SHARE))
