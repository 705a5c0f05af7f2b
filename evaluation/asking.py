"""Search for a data set's questions, and record which evidence is found and how long it takes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from uuid import UUID

from evaluation.datasets import Question
from memories.retrieval import SearchQuery, search
from threads.context import told

#: Ids of memories; the id of a turn that did not become a memory.
Evidence = frozenset[UUID | str]


@dataclass(frozen=True, slots=True)
class Asked:
    """The result of one question.

    Attributes:
        question: The question.
        evidence: Memories that contain the answer.
        found: Memories found, best first.
        line_tokens: Tokens of each found memory in a context.
        ms: Milliseconds of the search.
    """

    question: Question
    evidence: Evidence
    found: tuple[UUID, ...]
    line_tokens: tuple[int, ...]
    ms: float


def ask(question: Question, evidence: Evidence, *, owner: UUID, top_k: int) -> Asked:
    """Search for the question's own text without a threshold, so that `top_k` results come back if they
    exist.
    """
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
