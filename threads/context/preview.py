"""Explain how a context was assembled: tokens of each part, token flows, reason for each memory."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from threads.context.budget import ContextBudget, Flow
from threads.context.layout import Layout
from threads.context.selection import Choice


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a context.

    Attributes:
        budget: Share of the window in tokens; 0 for the requirements, which use the system prompt's, and the
            task state, which uses the summary's.
        text: The text, for parts that consist of one text; else None.
    """

    name: str
    budget: int
    tokens: int
    text: str | None


@dataclass(frozen=True, slots=True)
class ConsideredMemory:
    """A memory that was considered.

    Attributes:
        reason: Why it is included or not.
    """

    memory_id: UUID
    content: str
    relevance: float
    tokens: int
    is_in: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The explanation of how a context was assembled.

    Attributes:
        parts: In the order of the context.
        memories: The included memories first, otherwise in the order of recall.
    """

    parts: tuple[Part, ...]
    flows: tuple[Flow, ...]
    memories: tuple[ConsideredMemory, ...]


def build_preview(layout: Layout, budget: ContextBudget, choice: Choice) -> Preview:
    """Return the preview of a finished layout."""
    stats = layout.stats
    shares = budget.as_json()
    texts = {
        "system_prompt": layout.system_prompt,
        "requirements": layout.requirements,
        "summary": layout.summary,
        "task_state": layout.task_state,
        "retrieved": layout.retrieved,
        "current_input": layout.current_input,
    }
    counts = stats.as_json()
    del counts["total"]
    parts = (Part(name, shares.get(name, 0), tokens, texts.get(name)) for name, tokens in counts.items())
    return Preview(tuple(parts), budget.flows(stats), list_considered(choice))


def list_considered(choice: Choice) -> tuple[ConsideredMemory, ...]:
    """Return every memory that was considered, the included ones first."""
    chosen = {one.hit.memory.pk for one in choice.memories}
    looked_at = [
        ConsideredMemory(
            memory_id=one.hit.memory.pk,
            content=one.hit.memory.content,
            relevance=one.hit.relevance,
            tokens=one.tokens,
            is_in=one.hit.memory.pk in chosen,
            reason=reason,
        )
        for one, reason in choice.reasons
    ]
    looked_at.sort(key=lambda one: not one.is_in)
    return tuple(looked_at)
