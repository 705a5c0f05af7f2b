"""Evidence in contexts of a given size: what the model is sent when a new thread opens with the question."""

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

#: Results that a context of the largest budget could hold, and more.
MANY: Final = 200


@dataclass(frozen=True, slots=True)
class Kept:
    """One question's context of at most `budget` tokens.

    recall: share of the evidence in it; tokens: of its memories; total: of all of it; offered: share of the
    evidence in the results of the search, best first, while their lines fit the budget.
    """

    budget: int
    recall: float
    offered: float
    tokens: int
    total: int

    @property
    def is_complete(self) -> bool:
        """Whether all of the evidence is in."""
        return self.recall >= 1


def empty_thread(*, owner: UUID) -> Thread:
    """A thread to ask in: nothing has been said there."""
    return create_thread(owner=owner, title="evaluation")


def keep(asked: Asked, many: Asked, budget: int, *, thread: Thread) -> Kept:
    """`many`: the same question asked for as many results as any budget could hold.

    A preview, which leaves nothing: a citation counts as use, and use moves ranks.
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
    """Evidence recall of the longest head of the results that fits the budget."""
    fitting = sum(1 for spent in accumulate(many.line_tokens) if spent <= budget)
    return evidence_recall(many.evidence, many.found[:fitting], max(1, fitting))
