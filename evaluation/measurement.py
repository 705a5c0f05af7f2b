"""Run one measurement: write each conversation, ask its questions, assemble the contexts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol
from uuid import UUID

from django.apps import apps
from django.db import connection

from evaluation.contexts import MANY, ContextMeasurement, create_empty_thread, measure_context
from evaluation.datasets import CATEGORIES, Conversation, Question, Turn, find_kept_details
from evaluation.owners import create_temporary_owner
from evaluation.search_run import Evidence, SearchedQuestion, search_question
from evaluation.writing import StoredTurn, write_turns
from memories.maintenance import sentences
from memsite.llm.tokens import count_message_tokens
from threads.models import Thread

DEFAULT_TOP: Final = (3, 5, 10, 20)
DEFAULT_BUDGETS: Final = (500, 1_000, 2_000, 4_000, 8_000)
#: Most tokens of a context, as a share of the tokens of the whole conversation.
CONTEXT_SHARE: Final = 0.12
#: Tokens of the smallest context: a share of a short conversation might not hold the question.
LEAST_CONTEXT: Final = 300


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a measurement.

    Attributes:
        limit: Most questions of each conversation; None for all.
        text_only: See `writing`.
    """

    dataset: Path
    top: tuple[int, ...] = DEFAULT_TOP
    budgets: tuple[int, ...] = DEFAULT_BUDGETS
    limit: int | None = None
    text_only: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with its context for each budget.

    Attributes:
        small: The context of CONTEXT_SHARE of the conversation; None if contexts are not measured.
        history_tokens: Tokens of the whole conversation.
    """

    searched: SearchedQuestion
    contexts: tuple[ContextMeasurement, ...]
    small: ContextMeasurement | None
    history_tokens: int


@dataclass(slots=True)
class Measured:
    """Everything measured so far.

    Attributes:
        skipped: Questions without evidence.
        seconds: Time spent on writing.
    """

    conversations: int = 0
    turns: int = 0
    memories: int = 0
    refused: int = 0
    skipped: int = 0
    seconds: float = 0.0
    bytes: int = 0
    details_kept: int = 0
    details: int = 0
    answered: list[Answered] = field(default_factory=list)


class Progress(Protocol):
    """Shows a progress bar for a number of steps."""

    def steps(self, what: str, total: int) -> AbstractContextManager[Steps]: ...


class Steps(Protocol):
    def update(self, n: int = 1) -> object: ...


def run_measurement(
    conversations: Sequence[Conversation], plan: Plan, measured: Measured, progress: Progress
) -> None:
    """Measure into `measured`, conversation by conversation, so that a stopped run keeps its results."""
    for number, conversation in enumerate(conversations, start=1):
        with create_temporary_owner() as owner:
            run = _Run(conversation, owner.pk, f"{number}/{len(conversations)}", plan, measured, progress)
            run.ask_all(run.remember())
        measured.conversations += 1


@dataclass(frozen=True, slots=True)
class _Run:
    """The measurement of a conversation that one owner remembers. `title` is shown in the progress bar."""

    conversation: Conversation
    owner: UUID
    title: str
    plan: Plan
    measured: Measured
    progress: Progress

    def remember(self) -> dict[str, UUID]:
        """Write the turns; return the memory of each. Turns that repeat each other become one memory."""
        turns = self.conversation.turns
        memory_of: dict[str, UUID] = {}
        start = time.perf_counter()
        with self.progress.steps(f"{self.title} writing", len(turns)) as steps:
            for batch in write_turns(turns, owner=self.owner, text_only=self.plan.text_only):
                memory_of |= {one.turn.id: one.memory_id for one in batch if one.memory_id is not None}
                self._count(batch)
                steps.update(len(batch))
        self.measured.seconds += time.perf_counter() - start
        count = len(set(memory_of.values()))
        self.measured.memories += count
        with self.progress.steps(f"{self.title} sentence vectors", count) as steps:
            for embedded in sentences.fill_in_for(owner=self.owner):
                steps.update(embedded)
        self.measured.bytes += count_bytes(self.owner)
        return memory_of

    def ask_all(self, memory_of: Mapping[str, UUID]) -> None:
        """Ask every question that has evidence."""
        questions = [one for one in self.conversation.questions if one.category in CATEGORIES]
        asking = [one for one in questions if one.evidence][: self.plan.limit]
        self.measured.skipped += sum(1 for one in questions if not one.evidence)
        history = count_history_tokens(self.conversation.turns)
        thread = create_empty_thread(owner=self.owner)
        with self.progress.steps(f"{self.title} asking", len(asking)) as steps:
            for question in asking:
                evidence = find_evidence(question, memory_of)
                searched = search_question(question, evidence, owner=self.owner, top_k=max(self.plan.top))
                self.measured.answered.append(self._answered(searched, thread, history))
                steps.update()

    def _answered(self, searched: SearchedQuestion, thread: Thread, history: int) -> Answered:
        if not self.plan.budgets:
            return Answered(searched, (), None, history)
        many = search_question(searched.question, searched.evidence, owner=self.owner, top_k=MANY)
        small = max(LEAST_CONTEXT, int(history * CONTEXT_SHARE))
        kept = [
            measure_context(searched, many, budget, thread=thread) for budget in (small, *self.plan.budgets)
        ]
        return Answered(searched, tuple(kept[1:]), kept[0], history)

    def _count(self, batch: Sequence[StoredTurn]) -> None:
        for one in batch:
            kept, wanted = find_kept_details(one.turn.content, one.content)
            self.measured.turns += 1
            self.measured.refused += one.memory_id is None
            self.measured.details_kept += kept
            self.measured.details += wanted


def find_evidence(question: Question, memory_of: Mapping[str, UUID]) -> Evidence:
    """Return the memories that contain the answer.

    A refused turn is represented by its own id, which no search finds.
    """
    return frozenset(memory_of.get(turn, turn) for turn in question.evidence)


def count_history_tokens(turns: Sequence[Turn]) -> int:
    """Return the tokens of the whole conversation as messages `speaker: text`: the cost without a memory."""
    return sum(
        count_message_tokens({"role": "user", "content": f"{turn.speaker}: {turn.content}"}) for turn in turns
    )


_ROWS = "SELECT count(*), coalesce(sum(pg_column_size(t.*)), 0) FROM {table} AS t WHERE t.owner_id = %s"
_INDEXES = """
SELECT pg_indexes_size(relid), n_live_tup FROM pg_stat_user_tables WHERE relid = %s::regclass
"""


def count_bytes(owner: UUID) -> int:
    """Return the bytes of one owner's rows in the tables of `memories`, with their share of the indexes.

    All owners share an index; its bytes are divided in proportion to the rows, as counted by the server.
    """
    tables = [
        model._meta.db_table
        for model in apps.get_app_config("memories").get_models()
        if any(field.attname == "owner_id" for field in model._meta.concrete_fields)
    ]
    return sum(_bytes_in(table, owner) for table in tables)


def _bytes_in(table: str, owner: UUID) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS.format(table=connection.ops.quote_name(table)), [owner])
        rows, size = cursor.fetchone()
        cursor.execute(_INDEXES, [table])
        index_size, all_rows = cursor.fetchone() or (0, 0)
    share = rows / max(rows, all_rows, 1)
    return int(size + index_size * share)
