"""Threads, messages and branches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Thread:
    """A thread, without its messages."""

    id: str
    owner: str
    title: str
    system_prompt: str
    is_temporary: bool
    metadata: Mapping[str, Any]
    branch: str | None
    created_at: datetime
    updated_at: datetime
    last_message_at: datetime | None
    closed_at: datetime | None
    external_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class ToolFunction:
    """The function that a tool call names."""

    name: str
    arguments: str | None = None


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A call of a tool by the model."""

    id: str
    function: ToolFunction
    type: str | None = None


@dataclass(frozen=True, kw_only=True)
class Message:
    """A message."""

    id: str
    thread: str
    parent: str | None
    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] | None
    tool_call_id: str | None
    state: Mapping[str, Any]
    token_count: int
    is_compacted: bool
    client_id: str | None
    do_not_remember: bool
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class FoundMessage(Message):
    """A message that answers a query."""

    score: float
    similarity: float
    words: float


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """The most similar messages, best first."""

    results: tuple[FoundMessage, ...]
    searched: int
    total: int
    degraded: str | None


@dataclass(frozen=True, kw_only=True)
class MessageCount:
    """How many messages match, and their tokens."""

    count: int
    is_empty: bool
    token_count: int
    encoding: str


@dataclass(frozen=True, kw_only=True)
class Removed:
    """What deleting removed."""

    messages: int
    forgotten: tuple[str, ...]
    batch_id: str | None


@dataclass(frozen=True, kw_only=True)
class Branch:
    """A branch; without a name if it was left by a step back."""

    id: str
    name: str | None
    head: str | None
    is_current: bool
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Side:
    """One side of a comparison."""

    branch: Branch
    count: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two branches from the last message they share."""

    ancestor: Message | None
    left: Side
    right: Side


@dataclass(frozen=True, kw_only=True)
class UndoneMessages:
    """What moving the head back left: the messages after the new head, and what was learnt from them
    alone."""

    thread: Thread
    messages: tuple[Message, ...]
    kept_by: Branch | None
    learnt: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TakenBack:
    """What was learnt only from an abandoned branch."""

    memories: tuple[str, ...]
    batch_id: str | None


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Memories that other threads may see."""

    memories: tuple[str, ...]
    keep: bool


@dataclass(frozen=True, kw_only=True)
class ThreadSettings:
    """Settings of compaction and summaries."""

    is_on: bool
    pre_rot: int
    compaction_at: float
    summarisation_at: float
    keep_last: int
    tool_result_tokens: int
    model: str
    summary_by_messages: bool
    summary_by_tokens: bool


@dataclass(frozen=True, kw_only=True)
class Compacted:
    """What a compaction saved."""

    status: str
    source: str
    error: str | None
    messages: int
    tokens_before: int
    tokens_after: int
    tokens_saved: int


@dataclass(frozen=True, kw_only=True)
class OffloadedContent:
    """Offloaded content in full."""

    message: str
    content: str


@dataclass(frozen=True, kw_only=True)
class Metrics:
    """Numbers of compactions and summarisations."""

    compactions: int
    summarisations: int
    offloaded: int
    restored: int
    tokens_before: int
    tokens_after: int
    tokens_saved: int
    compacted_at: datetime | None
    live_tokens: int


@dataclass(frozen=True, kw_only=True)
class TaskState:
    """The task state of a thread."""

    current_goal: str
    completed_steps: tuple[str, ...]
    pending_steps: tuple[str, ...]
    key_findings: tuple[str, ...]
    written_by: str | None
    updated_at: datetime | None
