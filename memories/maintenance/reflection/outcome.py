"""The outcome of a run, for its requester."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.maintenance.reflection.proposals import record
from memories.models import Memory, Reflection
from memories.storage import add_links, list_memories
from memories.values import Action
from memsite.jobs import find_job
from memsite.jobs.models import Job, Status
from memsite.llm.chat import AnswerSource
from memsite.values import OutcomeStatus


@dataclass(frozen=True, slots=True)
class ReflectionResult:
    """The outcome for one memory.

    Attributes:
        memory: The memory in its current state; None if the candidate was refused or the memory erased.
    """

    action: Action
    memory: Memory | None
    reason: str


@dataclass(frozen=True, slots=True)
class ReflectionPart:
    """One row of a run with its results."""

    row: Reflection
    results: tuple[ReflectionResult, ...]


@dataclass(frozen=True, slots=True)
class ReflectionOutcome:
    """The outcome of a run.

    Attributes:
        source: `llm` if the model answered for every part that examined memories, else `fallback`.
        error: Error of a failed job, else the first error of a part.
        parts: Finished parts.
    """

    status: OutcomeStatus
    source: AnswerSource
    error: str | None
    parts: tuple[ReflectionPart, ...]


def find_current_job(job: Job, *, owner: UUID) -> Job:
    """Return the job that does this work now: the given one, or a later one that took it over."""
    return find_job(job.pk, owner=owner, follow=True)


def load_outcome(run: UUID, job: Job, *, owner: UUID) -> ReflectionOutcome:
    """Return the outcome of a run. Three queries."""
    rows = [row for row in record.list_rows(run, owner=owner) if row.finished_at is not None]
    failed = job.status in (Status.FAILED, Status.DEAD)
    errors = [job.error] if failed else [row.error for row in rows if row.error]
    ended = OutcomeStatus.DONE if job.has_ended else OutcomeStatus.WAITING
    return ReflectionOutcome(
        status=OutcomeStatus.FAILED if failed else ended,
        source=get_source(rows),
        error=next(iter(errors), None) or None,
        parts=load_parts(rows, owner=owner),
    )


def get_source(rows: Sequence[Reflection]) -> AnswerSource:
    """Return who answered. Parts that examined nothing count only if there are no others."""
    counted = [row for row in rows if row.counts.get("looked_at")] or list(rows)
    by_model = bool(counted) and all(row.source == AnswerSource.LLM for row in counted)
    return AnswerSource.LLM if by_model else AnswerSource.FALLBACK


def load_parts(rows: Sequence[Reflection], *, owner: UUID) -> tuple[ReflectionPart, ...]:
    """Return the rows with the current state of the memories they name. Two queries."""
    ids = {UUID(one["memory_id"]) for row in rows for one in row.outcomes if one["memory_id"]}
    memories = add_links(list_memories(owner=owner)).in_bulk(list(ids)) if ids else {}
    return tuple(
        ReflectionPart(
            row,
            tuple(
                ReflectionResult(
                    Action(one["action"]),
                    memories.get(UUID(one["memory_id"])) if one["memory_id"] else None,
                    one["reason"],
                )
                for one in row.outcomes
            ),
        )
        for row in rows
    )
