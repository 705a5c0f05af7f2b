"""Measure the truth set: state what changes over time, then ask what is true now, and what was true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from evaluation.measurement import Progress
from evaluation.owners import create_temporary_owner
from evaluation.quality.truth_set import Scenario, TruthQuestion
from evaluation.quality.writing import DatedText, WrittenAs, write_texts
from memories.maintenance import sentences
from memories.retrieval import SearchQuery, search_memories

#: Results that a question looks at.
TOP: Final = 5


@dataclass(frozen=True, slots=True)
class TruthPlan:
    """The plan of a measurement of the truth set. `limit`: most scenarios; None for all."""

    written_as: WrittenAs = WrittenAs.MESSAGES
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class TruthAnswer:
    """The result of one question.

    Attributes:
        is_found: Whether the right memories are among the first results; true if nothing is right.
        is_stale: Whether a stale memory is among them.
        is_first: Whether the right memories were found, and the best of them is before every stale one.
    """

    scenario: Scenario
    question: TruthQuestion
    is_found: bool
    is_stale: bool
    is_first: bool

    @property
    def is_right(self) -> bool:
        """Whether the right memories were found, and no outdated one."""
        return self.is_found and not self.is_stale


@dataclass(slots=True)
class MeasuredTruth:
    """Everything measured so far. `unlearnt` counts statements of scenarios that led to no memory."""

    statements: int = 0
    unlearnt: int = 0
    answers: list[TruthAnswer] = field(default_factory=list)


def measure_truth(
    scenarios: Sequence[Scenario], plan: TruthPlan, measured: MeasuredTruth, progress: Progress
) -> None:
    """Measure into `measured`, scenario by scenario, each with an owner of its own."""
    chosen = scenarios[: plan.limit]
    with progress.steps("scenarios", len(chosen)) as steps:
        for scenario in chosen:
            with create_temporary_owner() as owner:
                memories = _state_all(scenario, plan.written_as, owner=owner.pk)
                for _ in sentences.fill_in_for(owner=owner.pk):
                    pass
                measured.answers += [
                    _ask(scenario, question, memories, owner=owner.pk) for question in scenario.questions
                ]
            measured.statements += len(scenario.statements)
            measured.unlearnt += sum(1 for one in scenario.statements if not memories[one.id])
            steps.update()


def _state_all(scenario: Scenario, written_as: WrittenAs, *, owner: UUID) -> dict[str, frozenset[UUID]]:
    """Write the background, and then each statement on its own; return the memories of each statement."""
    memories: dict[str, frozenset[UUID]] = {}
    background = [
        DatedText(f"background-{number}", one.at, one.text)
        for number, one in enumerate(scenario.background, start=1)
    ]
    statements = [DatedText(one.id, one.at, one.text) for one in scenario.statements]
    for batch in write_texts(background, WrittenAs.FACTS, owner=owner):
        memories |= batch
    for batch in write_texts(statements, written_as, owner=owner, at_once=1):
        memories |= batch
    return memories


def _ask(
    scenario: Scenario, question: TruthQuestion, memories: Mapping[str, frozenset[UUID]], *, owner: UUID
) -> TruthAnswer:
    query = SearchQuery(query=question.text, top_k=TOP, min_similarity=0.0, as_of=question.as_of)
    found = [hit.memory.pk for hit in search_memories(query, owner=owner).hits]
    return judge_answer(scenario, question, memories, found)


def judge_answer(
    scenario: Scenario,
    question: TruthQuestion,
    memories: Mapping[str, frozenset[UUID]],
    found: Sequence[UUID],
) -> TruthAnswer:
    """Return whether what was found, best first, holds the right statements, and whether it holds stale ones.

    A memory that both a right and a stale statement led to is stale: it has the words of the first.
    """
    stale = frozenset[UUID]().union(*(memories[name] for name in question.stale))
    right = [bool((memories[name] - stale).intersection(found)) for name in question.right]
    is_found = not right or (all(right) if question.needs_all else any(right))
    wanted = frozenset[UUID]().union(*(memories[name] for name in question.right)) - stale
    first = next((one for one in found if one in wanted or one in stale), None)
    return TruthAnswer(
        scenario,
        question,
        is_found=is_found,
        is_stale=bool(stale.intersection(found)),
        is_first=is_found and first not in stale,
    )
