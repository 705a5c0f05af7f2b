"""The query of a search, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from memories.models import Memory
from memories.retrieval.explaining import reason_of
from memories.retrieval.query import Query
from memories.text import RequirementTag
from memories.values import Layer, Status

SearchOrder = Literal["relevance", "newest", "oldest", "importance"]


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The query and filters of a search. An empty filter excludes nothing.

    Attributes:
        top_k: Number of memories to rank.
        limit: Page size within the ranked memories; None means `top_k`.
        offset: Start of the page within the ranked memories.
        min_similarity: Least relevance, in [0, 1]. None applies the threshold of each layer, 0 applies none.
        metadata: As in `MemoryFilter`.
        order: How the memories that are relevant enough are sorted. `newest` and `oldest`: by when they were
            written.
        as_of: See `queries.active_at_condition`.
        believed_at: See `queries.active_at_condition`.
        secondary: Further queries of lower weight. Memories that only they find come after those of `query`.
        secondary_share: Share of its relevance, in [0, 1], that such a memory keeps.
    """

    query: str
    layers: tuple[Layer, ...] = ()
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subject: str = ""
    speaker: str = ""
    tags: tuple[str, ...] = ()
    metadata: str = ""
    statuses: tuple[Status, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    top_k: int = 5
    limit: int | None = None
    offset: int = 0
    min_similarity: float | None = None
    order: SearchOrder = "relevance"
    as_of: datetime | None = None
    believed_at: datetime | None = None
    secondary: tuple[str, ...] = ()
    secondary_share: float = 0.9


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that a search found.

    Attributes:
        score: Value that orders the hits.
        relevance: Value in [0, 1] that is compared with the thresholds.
        breakdown: Share of each part of the ranking; see `ranking.RankedMemories`.
        query: The query that found it.
    """

    memory: Memory
    score: float
    relevance: float
    breakdown: dict[str, float]
    query: Query = field(repr=False, compare=False)

    @property
    def why(self) -> str:
        """Short reason, for display. Finding it takes time, so it is not done for every hit."""
        return reason_of(self.memory, self.query, self.breakdown)


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The ways in which a search compared meanings.

    Attributes:
        sentence_vectors: `used`; `late`, if the query's vector was not there in time
            (MEMSITE_EMBEDDING_BUDGET_MS), so that token vectors alone decided; `none`, if no memory has one,
            or the site uses none.
        sentence_share: Share of the owner's memories with a sentence vector, 0 to 1.
        need: Logit that the query needs memory at all, from its sentence vector; see `estimate_need`. At
            least 1 if it names a speaker of the owner's memories; None without a vector.
    """

    sentence_vectors: Literal["used", "late", "none"] = "none"
    sentence_share: float = 0.0
    need: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a search, best first.

    Attributes:
        by_layer: Number of memories found in each layer.
        total_found: Number of ranked memories that passed the thresholds, before paging.
        cold_start: Whether the owner has no memories at all.
        diagnostics: How the query was compared; see `Diagnostics`.
        suggestion: Advice to the caller if nothing was found.
        conflict_warning: What the hits contradict, in plain words; empty if nothing.
        conflicting_ids: Disputed memories among the hits, and the memories they are in conflict with.
        outdated: The best memories, at most 5, that would be hits if no newer statement made them outdated.
        by_field: For each field of life that the query asks for work in, the memories that the work must
            respect, most relevant first, hits or not. None if the query has no sentence vector.
    """

    hits: tuple[Hit, ...]
    by_layer: dict[Layer, int]
    total_found: int
    cold_start: bool
    suggestion: str
    conflict_warning: str
    conflicting_ids: tuple[UUID, ...]
    diagnostics: Diagnostics = Diagnostics()
    outdated: tuple[Hit, ...] = ()
    by_field: Mapping[RequirementTag, tuple[Memory, ...]] | None = None
