"""Asks a data set's questions of the search and looks which evidence comes back, and how soon."""

from __future__ import annotations

import time
from dataclasses import dataclass
from uuid import UUID

from evaluation.datasets import Question
from memories.retrieval import SearchQuery, search
from threads.context import told

#: Ids of memories; a turn that never became one stands for itself.
Evidence = frozenset[UUID | str]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's result.

    found: memories best first; line_tokens: what each costs in a context; ms: of the search.
    """

    question: Question
    evidence: Evidence
    found: tuple[UUID, ...]
    line_tokens: tuple[int, ...]
    ms: float


def ask(question: Question, evidence: Evidence, *, owner: UUID, top_k: int) -> Asked:
    """Search by the question as it stands, without a threshold: `top_k` come back if there are as many."""
    wanted = SearchQuery(query=question.text, top_k=top_k, min_similarity=0.0)
    start = time.perf_counter()
    result = search(wanted, owner=owner)
    ms = (time.perf_counter() - start) * 1000
    return Asked(
        question=question,
        evidence=evidence,
        found=tuple(hit.memory.pk for hit in result.hits),
        line_tokens=tuple(told(hit).tokens for hit in result.hits),
        ms=ms,
    )
