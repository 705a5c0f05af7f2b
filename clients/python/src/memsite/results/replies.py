"""Contexts, replies and summaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memsite.results.memories import Learnt
from memsite.results.threads import Message


@dataclass(frozen=True, kw_only=True)
class TokenStats:
    """The tokens of a context by part."""

    system_prompt: int
    requirements: int = 0
    summary: int
    task_state: int
    recent_messages: int
    retrieved: int
    current_input: int
    total: int


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The tokens that each part of a context may take."""

    system_prompt: int
    summary: int
    retrieved: int
    recent_messages: int
    current_input: int
    reserved: int


@dataclass(frozen=True, kw_only=True)
class ContextMetadata:
    """How a context was made."""

    context_id: str
    included_messages: int
    summarised_messages: int
    summary_used: bool
    memories_retrieved: int
    encoding: str
    degraded: tuple[str, ...]
    notes: Mapping[str, str]
    budget: Budget


@dataclass(frozen=True, kw_only=True)
class Citation:
    """A memory in a context.

    `role`: `recalled` for the input, or `respected` as a requirement, whose `relevance` is None.
    """

    id: str
    memory_id: str
    content: str
    role: str
    score: float
    relevance: float | None
    why: str


@dataclass(frozen=True, kw_only=True)
class Considered:
    """A memory that was considered for a context."""

    memory_id: str
    content: str
    relevance: float
    tokens: int
    included: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class TokenFlow:
    """Tokens that moved from one part of a budget to another."""

    source: str
    target: str
    tokens: int


@dataclass(frozen=True, kw_only=True)
class ContextPart:
    """A part of a context; `text` is set for a part that consists of one text."""

    name: str
    budget: int
    tokens: int
    text: str | None


@dataclass(frozen=True, kw_only=True)
class ContextPreview:
    """How a context is assembled."""

    parts: tuple[ContextPart, ...]
    flows: tuple[TokenFlow, ...]
    memories: tuple[Considered, ...]


@dataclass(frozen=True, kw_only=True)
class Context:
    """The messages to send to a model."""

    messages: tuple[Mapping[str, Any], ...]
    token_stats: TokenStats
    metadata: ContextMetadata
    citations: tuple[Citation, ...]
    system: str | None = None
    preview: ContextPreview | None = None


@dataclass(frozen=True, kw_only=True)
class JudgedCitation:
    """A citation with the judgement on it."""

    id: str
    memory_id: str
    context_id: str
    score: float
    role: str
    why: str
    useful: bool | None


@dataclass(frozen=True, kw_only=True)
class ReplyState:
    """The state of a reply."""

    id: str
    status: str
    source: str
    error: str | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A reply with its question and answer."""

    reply: ReplyState
    question: Message
    message: Message | None
    token_stats: TokenStats | None
    metadata: ContextMetadata | None
    citations: tuple[Citation, ...] | None


@dataclass(frozen=True, kw_only=True)
class ReplyBegun:
    """The first event of a streamed reply."""

    reply: ReplyState
    question: Message
    token_stats: TokenStats | None
    metadata: ContextMetadata | None
    citations: tuple[Citation, ...] | None


@dataclass(frozen=True, kw_only=True)
class ReplyDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, kw_only=True)
class ReplyEnded:
    """The last event of a streamed reply."""

    reply: ReplyState
    message: Message | None


@dataclass(frozen=True, kw_only=True)
class ExtractedThread:
    """What was learnt from a thread."""

    status: str
    source: str
    error: str | None
    memories: tuple[Learnt, ...]


@dataclass(frozen=True, kw_only=True)
class SummaryDump:
    """What a summary stands for."""

    messages: tuple[str, ...]
    offloaded: tuple[str, ...]
    based_on: str | None
    previous: Mapping[str, Any] | None
    task_state: Mapping[str, Any] | None


@dataclass(frozen=True, kw_only=True)
class StructuredSummary:
    """The parts of a summary."""

    user_goal: str
    last_step: str
    key_decisions: tuple[str, ...]
    modified_files: tuple[str, ...]
    critical_context: Mapping[str, str]
    timestamp: datetime
    dump: SummaryDump


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A summary of a branch."""

    id: str
    thread: str
    last_message: str
    content: str
    structured: StructuredSummary
    token_count: int
    source: str
    error: str | None
    waiting: int
    is_stale: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class Summarised:
    """What summarising wrote."""

    status: str
    source: str
    error: str | None
    summary: Summary | None


@dataclass(frozen=True, kw_only=True)
class SummaryState:
    """The summary that a branch uses."""

    summary: Summary | None
    is_due: bool
    new_messages: int
    new_tokens: int


@dataclass(frozen=True, kw_only=True)
class RestoredSummary:
    """What is used again after undoing a summary."""

    summary: Summary | None
    messages: tuple[str, ...]
    task_state_restored: bool
