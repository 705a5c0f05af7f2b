"""Memories, and what happens to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Memory:
    """A memory with every field."""

    id: str
    owner: str
    layer: str
    kind: str
    category: str
    content: str
    tags: tuple[str, ...]
    participants: tuple[str, ...]
    subject: str
    predicate: str
    object: str
    single_valued: bool
    speaker: str
    session: str
    turn: int
    importance: float
    base_importance: float
    confidence: float
    lifespan: str
    status: str
    pinned: bool
    sensitive: bool
    strength: float | None
    abstraction_level: str
    occurrence_count: int
    access_count: int
    forgotten_by: str
    written_by: str
    metadata: Mapping[str, Any]
    occurred_at: datetime | None
    restated_at: datetime | None
    valid_from: datetime | None
    valid_until: datetime | None
    ended_at: datetime | None
    retired_at: datetime | None
    forgotten_at: datetime | None
    last_accessed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    sources: tuple[str, ...]
    supersedes: tuple[str, ...]
    on_left_branch: bool


@dataclass(frozen=True, kw_only=True)
class ScoreBreakdown:
    """What the ranking says of a memory, part by part, each from 0 to 1. They do not add up to the score."""

    similarity: float
    keyword: float
    graph: float
    structure: float
    time: float
    recency: float
    frequency: float
    outdated: float = 0.0
    replaces: float = 0.0


@dataclass(frozen=True, kw_only=True)
class FoundMemory(Memory):
    """A memory that answers a search."""

    score: float
    relevance: float
    score_breakdown: ScoreBreakdown
    why: str


@dataclass(frozen=True, kw_only=True)
class Diagnostics:
    """How a search compared meanings, and which share of the memories, 0 to 1, has a sentence vector.

    `sentence_vectors` is "used", "late" (the vector of the query was not there in time) or "none".
    """

    sentence_vectors: str
    sentence_share: float


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What a search found, best first."""

    memories: tuple[FoundMemory, ...]
    by_layer: Mapping[str, int]
    total_found: int
    cold_start: bool
    suggestion: str
    conflict_warning: str
    conflicting_ids: tuple[str, ...]
    diagnostics: Diagnostics


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a write did; `memory` is the row that is active now."""

    action: str
    memory: Memory
    batch_id: str


@dataclass(frozen=True, kw_only=True)
class BatchItem:
    """What became of one memory of a batch; `memory` is None if it was refused."""

    action: str
    memory: Memory | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What became of a batch, in the order of the request."""

    results: tuple[BatchItem, ...]
    batch_id: str


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """What was learnt from messages."""

    action: str
    memory: Memory | None
    reason: str
    batch_id: str | None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What erasing destroyed, and what it could not reach."""

    action: str
    memory_ids: tuple[str, ...]
    erased: Mapping[str, int]
    erased_at: datetime
    not_reached: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Match(Memory):
    """A memory that would be forgotten, with the reasons."""

    why: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What is forgotten, or with `dry_run` would be."""

    dry_run: bool
    count: int
    ids: tuple[str, ...]
    memories: tuple[Match, ...]
    derived: tuple[Match, ...]
    more: bool
    batch_id: str | None


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What the clean-up forgot, or with `dry_run` would forget."""

    dry_run: bool
    count: int
    memory_ids: tuple[str, ...]
    batch_id: str | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class UndoneBatch:
    """What undoing a batch changed."""

    action: str
    memories: tuple[Memory, ...]
    batch_id: str
    left_out: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class HistoryItem:
    """One change of a memory."""

    at: datetime
    event: str
    reason: str
    actor: str
    batch_id: str
    memory_id: str
    content: str
    valid_from: datetime | None
    valid_until: datetime | None
    before: Mapping[str, Any] | None


@dataclass(frozen=True, kw_only=True)
class Entity:
    """A name that memories mention."""

    id: str
    name: str
    aliases: tuple[str, ...]
    mentions: int
    distance: int


@dataclass(frozen=True, kw_only=True)
class Relation:
    """A relation between two entities."""

    subject: str
    predicate: str
    object: str
    subject_id: str
    object_id: str
    memory: str
    valid_from: datetime | None
    valid_until: datetime | None


@dataclass(frozen=True, kw_only=True)
class Graph:
    """Entities and relations around a name."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    more: bool


@dataclass(frozen=True, kw_only=True)
class Via:
    """What connects two memories."""

    kind: str
    name: str
    predicate: str
    source: str


@dataclass(frozen=True, kw_only=True)
class Neighbour(Memory):
    """A memory that is connected to another."""

    distance: int
    weight: float
    via: Via


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Two memories that cannot both be true."""

    id: str
    memories: tuple[Memory, ...]
    reason: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class SentenceVectors:
    """The model of the sentence vectors, and how many memories have one and how many wait for it."""

    model: str
    filled: int
    missing: int


@dataclass(frozen=True, kw_only=True)
class Stats:
    """Counts and the state of the memories."""

    owner: str
    total: int
    by_layer: Mapping[str, int]
    by_kind: Mapping[str, int]
    by_status: Mapping[str, int]
    last_reflection: datetime | None
    episodes_since_reflection: int
    should_reflect: bool
    oldest_unreflected: datetime | None
    embedding_model: str
    embedding_models: Mapping[str, int]
    not_embedded: int
    sentence_vectors: SentenceVectors
    warnings: tuple[str, ...]
