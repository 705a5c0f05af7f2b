"""How a context came about: each part with its budget, what flowed where, why each memory is in or out."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from threads.context.budget import ContextBudget, Flow
from threads.context.choosing import Choice
from threads.context.layout import Layout


@dataclass(frozen=True, slots=True)
class Part:
    """budget: its share of the window (task state has none of its own: it shares the summary's). text: of
    parts that are one text.
    """

    name: str
    budget: int
    tokens: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Considered:
    """A memory that was looked at. reason: why it is in, or not."""

    memory_id: UUID
    content: str
    relevance: float
    tokens: int
    is_in: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """parts: in the order of the context; memories: those in first, else in the order of recall."""

    parts: tuple[Part, ...]
    flows: tuple[Flow, ...]
    memories: tuple[Considered, ...]


def preview_of(layout: Layout, budget: ContextBudget, choice: Choice) -> Preview:
    """What is to be said of a finished layout."""
    stats = layout.stats
    shares = budget.as_json()
    texts = {
        "system_prompt": layout.system_prompt,
        "summary": layout.summary,
        "task_state": layout.task_state,
        "retrieved": layout.retrieved,
        "current_input": layout.current_input,
    }
    counts = stats.as_json()
    del counts["total"]
    parts = (Part(name, shares.get(name, 0), tokens, texts.get(name)) for name, tokens in counts.items())
    chosen = {one.hit.memory.pk for one in choice.memories}
    looked_at = [
        Considered(
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
    return Preview(tuple(parts), budget.flows(stats), tuple(looked_at))
