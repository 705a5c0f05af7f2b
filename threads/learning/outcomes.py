"""Store what learning did, without the text of the messages, and report it, whichever job did it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from memories.models import Memory
from memories.storage import add_links, list_memories
from memories.values import Action, Candidate
from memories.writing import CHANGES_NOTHING, WriteResult
from memsite.accounts.preferences import get_preferences
from memsite.errors import Conflict, InvalidInput
from memsite.jobs import find_job
from memsite.jobs.models import Job, Status
from memsite.llm.chat import AnswerSource
from memsite.values import OutcomeStatus
from threads.conf import OUTCOME_MESSAGES
from threads.models import Learning, Thread
from threads.storage import (
    get_thread,
    list_messages,
    list_unlearnt_messages,
    list_unread_messages,
    load_path,
    queue_extraction,
)
from threads.visibility import make_reference

#: Number of jobs that may follow one another: each can leave work to the next.
_JOBS: Final = 8
ACTOR: Final = "learning"
_ERROR_CHARACTERS: Final = 500


class MovedMeanwhile(Conflict):
    """A message was deleted, marked or learnt from by another job while its batch was prepared."""


def store_record(record: Learning, candidates: Sequence[Candidate], written: WriteResult | None) -> None:
    """Store the record with the outcomes of the candidates, in the transaction that writes the memories."""
    if written is not None:
        record.batch_id = written.batch_id
        record.outcomes = [
            {
                "sources": list(candidate.sources),
                "action": outcome.action,
                "memory_id": str(outcome.memory.pk) if outcome.memory is not None else None,
                "reason": outcome.reason,
            }
            for candidate, outcome in zip(candidates, written.outcomes, strict=True)
            if outcome.reason != CHANGES_NOTHING
        ]
    record.error = record.error[:_ERROR_CHARACTERS]
    record.save(force_insert=True)


@dataclass(frozen=True, slots=True)
class CandidateResult:
    """The outcome of one candidate.

    Attributes:
        memory: The memory as it is now; None if it was refused, or erased since.
        batch_id: The batch that wrote it, by which it can be undone; None if nothing was written.
    """

    action: Action
    memory: Memory | None
    reason: str
    batch_id: UUID | None


@dataclass(frozen=True, slots=True)
class LearningOutcome:
    """The outcome of a request to learn.

    Attributes:
        status: `done`, or `failed` with the job's error.
        source: `NONE` if there was nothing to learn from.
        error: Why the model did not answer, or why the job failed; None if nothing went wrong.
    """

    status: OutcomeStatus
    source: AnswerSource
    error: str | None
    results: tuple[CandidateResult, ...]


def request_learning(thread: Thread) -> Job:
    """Queue learning from a thread, and note which messages the outcome refers to. Updates `thread`.

    The outcome refers to the messages since the previous request, whichever job learns from them. If there
    are none since, it refers to the same messages as before.

    Raises:
        InvalidInput: If the thread is temporary, or memory is switched off.
    """
    if thread.is_temporary:
        raise InvalidInput("This thread is temporary: nothing is learnt from it.")
    if not get_preferences(thread.owner_id).memory_on:
        raise InvalidInput("Memory is switched off for this person.")
    with transaction.atomic():
        row = get_thread(thread.pk, owner=thread.owner_id, lock=True)
        line = list_messages(load_path(row.current_branch), owner=row.owner_id).order_by("-depth")
        newest = line.values_list("id", flat=True).first()
        if newest is not None and (row.extracted_through is None or newest > row.extracted_through):
            row.extracted_after, row.extracted_through = row.extracted_through, newest
            row.save(update_fields=["extracted_after", "extracted_through"])
        thread.extracted_after, thread.extracted_through = row.extracted_after, row.extracted_through
        return queue_extraction(thread.pk, owner=thread.owner_id)


@dataclass(slots=True)
class LearningWatch:
    """Follows learning from a thread, from job to job, until no messages are left."""

    thread: Thread
    job: Job
    jobs: int = 1

    def has_settled(self) -> bool:
        """Return whether learning has ended. Queue another job if the last one left messages over."""
        self.job = find_job(self.job.pk, owner=self.thread.owner_id, follow=True)
        if not self.job.has_ended:
            return False
        if self.job.status == Status.DEAD or self.jobs >= _JOBS or not has_unlearnt_messages(self.thread):
            return True
        self.job = queue_extraction(self.thread.pk, owner=self.thread.owner_id)
        self.jobs += 1
        return False


def has_unlearnt_messages(thread: Thread) -> bool:
    """Return whether messages of the thread still wait to be learnt from."""
    rows = (
        list_unlearnt_messages(thread.pk, owner=thread.owner_id),
        list_unread_messages(thread.pk, owner=thread.owner_id),
    )
    return any(waiting.exists() for waiting in rows)


def load_outcome(thread: Thread, job: Job) -> LearningOutcome:
    """Return what was learnt from the messages of the latest request, oldest batch first. 4 queries.

    At most the newest 200 messages of the current branch are considered.
    """
    newest = list_messages(load_path(thread.current_branch), owner=thread.owner_id).order_by("-depth")
    if thread.extracted_after is not None:
        newest = newest.filter(pk__gt=thread.extracted_after)
    if thread.extracted_through is not None:
        newest = newest.filter(pk__lte=thread.extracted_through)
    ids = newest.values_list("id", flat=True)[:OUTCOME_MESSAGES]
    references = {make_reference(message_id) for message_id in ids}
    batches = Learning.objects.filter(owner_id=thread.owner_id, thread=thread).order_by("-id")
    rows = list(batches[:OUTCOME_MESSAGES])[::-1]
    items = [
        item | {"batch_id": row.batch_id}
        for row in rows
        for item in row.outcomes
        if references.intersection(item["sources"])
    ]
    failed = job.status in (Status.FAILED, Status.DEAD)
    read = [row for row in rows if row.source]  # without batches that only made episodes
    error = job.error if failed else read[-1].error if read else ""
    return LearningOutcome(
        status=OutcomeStatus.FAILED if failed else OutcomeStatus.DONE,
        source=AnswerSource(read[-1].source if read else ""),
        error=error or None,
        results=_results(_last_of_each(items), owner=thread.owner_id),
    )


def _last_of_each(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop repetitions: a `known` candidate whose memory is reported by another item."""
    seen = {item["memory_id"] for item in items if item["action"] != Action.KNOWN}
    return [item for item in items if item["action"] != Action.KNOWN or item["memory_id"] not in seen]


def _results(items: list[dict[str, Any]], *, owner: UUID) -> tuple[CandidateResult, ...]:
    ids = {UUID(item["memory_id"]) for item in items if item["memory_id"]}
    memories = add_links(list_memories(owner=owner)).in_bulk(list(ids)) if ids else {}
    return tuple(
        CandidateResult(
            Action(item["action"]),
            memories.get(UUID(item["memory_id"])) if item["memory_id"] else None,
            item["reason"],
            item["batch_id"] if item["memory_id"] else None,
        )
        for item in items
    )
