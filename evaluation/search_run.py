"""Search for a data set's questions, and record which evidence is found and how long it takes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from uuid import UUID

from evaluation.datasets import Question
from memories.retrieval import SearchQuery, search_memories
from threads.context import render_memory

#: Ids of memories; the id of a turn that did not become a memory.
Evidence = frozenset[UUID | str]


@dataclass(frozen=True, slots=True)
class SearchedQuestion:
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


def search_question(question: Question, evidence: Evidence, *, owner: UUID, top_k: int) -> SearchedQuestion:
    """Search for the question's own text without a threshold, so that `top_k` results come back if they
    exist.
    """
    wanted = SearchQuery(query=question.text, top_k=top_k, min_similarity=0.0)
    start = time.perf_counter()
    result = search_memories(wanted, owner=owner)
    ms = (time.perf_counter() - start) * 1000
    return SearchedQuestion(
        question=question,
        evidence=evidence,
        found=tuple(hit.memory.pk for hit in result.hits),
        line_tokens=tuple(render_memory(hit).tokens for hit in result.hits),
        ms=ms,
    )
