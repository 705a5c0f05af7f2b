"""Measure evidence in contexts of a given size, for a new thread that opens with the question."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Final
from uuid import UUID

from evaluation.asking import Asked
from evaluation.scoring import evidence_recall
from threads.context import assemble
from threads.messages import create_thread
from threads.models import Thread

#: More results than a context of the largest budget can hold.
MANY: Final = 200


@dataclass(frozen=True, slots=True)
class Kept:
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


def empty_thread(*, owner: UUID) -> Thread:
    """Create an empty thread in which questions are asked."""
    return create_thread(owner=owner, title="evaluation")


def keep(asked: Asked, many: Asked, budget: int, *, thread: Thread) -> Kept:
    """Assemble a context and measure it.

    The context is a preview, which stores nothing: a citation would count as use, and use changes ranks.

    Args:
        asked: The question and its evidence.
        many: The same question with as many results as any budget could hold.
        budget: Most tokens of the context.
        thread: An empty thread.
    """
    text = asked.question.text
    context = assemble(thread.pk, text, owner=thread.owner_id, max_tokens=budget, preview=True)
    looked_at = context.preview.memories if context.preview is not None else ()
    found = [one.memory_id for one in looked_at if one.is_in]
    return Kept(
        budget=budget,
        recall=evidence_recall(asked.evidence, found, max(1, len(found))),
        offered=offered(many, budget),
        tokens=context.token_stats.retrieved,
        total=context.token_stats.total,
    )


def offered(many: Asked, budget: int) -> float:
    """Return the evidence recall of the most results, best first, that fit the budget."""
    fitting = sum(1 for spent in accumulate(many.line_tokens) if spent <= budget)
    return evidence_recall(many.evidence, many.found[:fitting], max(1, fitting))
