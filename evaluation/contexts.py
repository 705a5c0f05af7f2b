"""Measure evidence in contexts of a given size, for a new thread that opens with the question."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Final
from uuid import UUID

from evaluation.scoring import compute_evidence_recall
from evaluation.search_run import SearchedQuestion
from threads.context import assemble_context
from threads.messages import create_thread
from threads.models import Thread

#: More results than a context of the largest budget can hold.
MANY: Final = 200


@dataclass(frozen=True, slots=True)
class ContextMeasurement:
    """One question's context of at most `budget` tokens.

    Attributes:
        budget: Most tokens of the context.
        recall: Share of the evidence in the context.
        offered: Share of the evidence in the search results that fit the budget, best first.
        tokens: Tokens of the memories in the context.
        total: Tokens of the whole context.
    """

    budget: int
    recall: float
    offered: float
    tokens: int
    total: int

    @property
    def is_complete(self) -> bool:
        """Whether all of the evidence is in the context."""
        return self.recall >= 1


def create_empty_thread(*, owner: UUID) -> Thread:
    """Create an empty thread in which questions are asked."""
    return create_thread(owner=owner, title="evaluation")


def measure_context(
    searched: SearchedQuestion, many: SearchedQuestion, budget: int, *, thread: Thread
) -> ContextMeasurement:
    """Assemble a context and measure it.

    The context is a preview, which stores nothing: a citation would count as use, and use changes ranks.

    Args:
        searched: The question and its evidence.
        many: The same question with as many results as any budget could hold.
        budget: Most tokens of the context.
        thread: An empty thread.
    """
    text = searched.question.text
    context = assemble_context(thread.pk, text, owner=thread.owner_id, max_tokens=budget, preview=True)
    looked_at = context.preview.memories if context.preview is not None else ()
    found = [one.memory_id for one in looked_at if one.is_in]
    return ContextMeasurement(
        budget=budget,
        recall=compute_evidence_recall(searched.evidence, found, max(1, len(found))),
        offered=compute_offered_recall(many, budget),
        tokens=context.token_stats.retrieved,
        total=context.token_stats.total,
    )


def compute_offered_recall(many: SearchedQuestion, budget: int) -> float:
    """Return the evidence recall of the most results, best first, that fit the budget."""
    fitting = sum(1 for spent in accumulate(many.line_tokens) if spent <= budget)
    return compute_evidence_recall(many.evidence, many.found[:fitting], max(1, fitting))
