"""Measure the everyday set: write each person's memories, search for the questions, assemble contexts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from evaluation.contexts import create_empty_thread
from evaluation.measurement import Progress
from evaluation.owners import create_temporary_owner
from evaluation.quality.distractors import make_distractors
from evaluation.quality.everyday_set import EverydayInput, EverydayPerson
from evaluation.quality.writing import DatedText, WrittenAs, write_texts
from memories.maintenance import sentences
from memories.retrieval import SearchQuery, search_memories
from threads.context import assemble_context
from threads.models import Thread

TOP: Final = (1, 5, 10)
#: Tokens of the contexts.
BUDGET: Final = 4_000
DISTRACTORS: Final = 400


@dataclass(frozen=True, slots=True)
class EverydayPlan:
    """The plan of a measurement of the everyday set.

    Attributes:
        distractors: Diary lines that answer nothing, for each person.
        limit: Most questions, and most other inputs, of each person; None for all.
    """

    written_as: WrittenAs = WrittenAs.FACTS
    distractors: int = DISTRACTORS
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class EverydayContext:
    """The memories in a new thread's context that opens with an input.

    Attributes:
        added: Number of memories in it.
        right: Number of those that answer the input.
        tokens: Tokens of its memories.
        required: Tokens of its requirements, which are no memories that were added.
        is_right: Whether a memory or a requirement answers the input.
        is_late: Whether memories are missing because recall failed or took longer than it may.
    """

    added: int
    right: int
    tokens: int
    required: int = 0
    is_right: bool = False
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class AnsweredInput:
    """The result of one question or other input.

    Attributes:
        rank: Place of the first right memory in the search results, from 1; None if it is not among the
            first 10, or if the input was not searched because it is no question.
    """

    person: str
    input: EverydayInput
    rank: int | None
    context: EverydayContext

    def is_found(self, top: int) -> bool:
        """Return whether a right memory is among the first `top` results."""
        return self.rank is not None and self.rank <= top


@dataclass(slots=True)
class MeasuredEveryday:
    """Everything measured so far. `refused` counts texts that did not become a memory."""

    people: int = 0
    texts: int = 0
    refused: int = 0
    answered: list[AnsweredInput] = field(default_factory=list)


def measure_everyday(
    people: Sequence[EverydayPerson], plan: EverydayPlan, measured: MeasuredEveryday, progress: Progress
) -> None:
    """Measure into `measured`, person by person, so that a stopped run keeps its results."""
    for person in people:
        with create_temporary_owner() as owner:
            run = _Run(person, owner.pk, plan, measured, progress)
            run.ask_all(run.write_all())
        measured.people += 1


@dataclass(frozen=True, slots=True)
class _Run:
    """One person's diary in the memory of one owner."""

    person: EverydayPerson
    owner: UUID
    plan: EverydayPlan
    measured: MeasuredEveryday
    progress: Progress

    def write_all(self) -> dict[str, frozenset[UUID]]:
        """Write memories and distractors, oldest first, with their vectors; return the memories of each."""
        others = make_distractors(self.person.language, self.plan.distractors, seed=self.person.name)
        lines = sorted((*self.person.memories, *others), key=lambda one: one.at)
        texts = [DatedText(one.id, one.at, one.text) for one in lines]
        memories: dict[str, frozenset[UUID]] = {}
        with self.progress.steps(f"{self.person.name} writing", len(texts)) as steps:
            for batch in write_texts(texts, self.plan.written_as, owner=self.owner):
                memories |= batch
                steps.update(len(batch))
        with self.progress.steps(f"{self.person.name} sentence vectors", len(texts)) as steps:
            for embedded in sentences.fill_in_for(owner=self.owner):
                steps.update(embedded)
        self.measured.texts += len(texts)
        self.measured.refused += sum(1 for ids in memories.values() if not ids)
        return memories

    def ask_all(self, memories: Mapping[str, frozenset[UUID]]) -> None:
        """Search for every question; assemble a context for every question and input."""
        questions, inputs = (part[: self.plan.limit] for part in (self.person.questions, self.person.inputs))
        thread = create_empty_thread(owner=self.owner)
        with self.progress.steps(f"{self.person.name} asking", len(questions) + len(inputs)) as steps:
            for one in (*questions, *inputs):
                right = frozenset[UUID]().union(*(memories[name] for name in one.memories))
                rank = self._find_rank(one.text, right) if one.category == "question" else None
                context = assemble_everyday_context(one.text, right, thread)
                self.measured.answered.append(AnsweredInput(self.person.name, one, rank, context))
                steps.update()

    def _find_rank(self, text: str, right: frozenset[UUID]) -> int | None:
        query = SearchQuery(query=text, top_k=max(TOP), min_similarity=0.0)
        hits = search_memories(query, owner=self.owner).hits
        return next((rank for rank, hit in enumerate(hits, start=1) if hit.memory.pk in right), None)


def assemble_everyday_context(text: str, right: frozenset[UUID], thread: Thread) -> EverydayContext:
    """Preview the context of an empty thread that opens with `text`, and count its memories."""
    context = assemble_context(thread.pk, text, owner=thread.owner_id, max_tokens=BUDGET, preview=True)
    looked_at = context.preview.memories if context.preview is not None else ()
    added = [one.memory_id for one in looked_at if one.is_in]
    return EverydayContext(
        added=len(added),
        right=len(right.intersection(added)),
        tokens=context.token_stats.retrieved,
        required=context.token_stats.requirements,
        is_right=not right.isdisjoint([*added, *context.required]),
        is_late="retrieved" in context.degraded,
    )
