"""Learn from messages that a program gives, without a thread.

The messages are stored, after the gate, only until a job has read them. What is learnt has them as its
source, by an id that refers to nothing else, so that the same messages are learnt from once, however often
the job runs.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.conf import EXTRACTION
from memories.extraction import UnreadMessage, extract, make_window
from memories.gate import redact_text
from memories.models import GivenMessages, Memory
from memories.storage import add_links, list_memories
from memories.values import Action, Candidate, Utterance
from memories.writing.pipeline import WriteResult, write_candidates
from memories.writing.placement import CHANGES_NOTHING
from memsite.accounts.preferences import get_preferences
from memsite.errors import InvalidInput, NotFound
from memsite.jobs import check_lease, enqueue, hold_lease
from memsite.jobs.models import Job
from memsite.llm.chat import AnswerSource, ChatModel, time_limit
from memsite.metering import ModelPurpose, get_chat_model
from memsite.values import MessageRole, parse_id

TASK: Final = "memories.tasks.learn_from_given"
ACTOR: Final = "learning"
MOST_GIVEN: Final = 100  # messages in one request
MOST_CHARACTERS: Final = 100_000  # characters of all messages of a request
_KEPT: Final = timedelta(days=30)  # how long the results are kept
_LEASE_SECONDS: Final = 120.0
_READ_SECONDS: Final = 20.0  # of the job's 60; after that, the rules read the rest
_MODEL_SECONDS: Final = 50.0  # of the job's 60, in which the model must have answered
_CONTEXT: Final = 6  # earlier messages that are shown to the model again
_ERROR: Final = 500  # characters
_IS_CONTEXT: Final = "is_context"
_NO_TIME: Final = "there was no time left for the model"


@dataclass(frozen=True, slots=True)
class GivenMessage:
    """A message to learn from.

    Attributes:
        role: `USER` or `ASSISTANT`.
        at: When it was said; timezone-aware.
    """

    role: MessageRole
    content: str
    at: datetime
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class LearningResult:
    """The result for one candidate.

    Attributes:
        memory: The row as it is now, or None if the candidate was refused or the memory erased.
    """

    action: Action
    memory: Memory | None
    reason: str


def store_given(
    messages: Sequence[GivenMessage], *, owner: UUID, actor: str, context: Sequence[GivenMessage] = ()
) -> tuple[GivenMessages, Job]:
    """Store messages, and queue a job that learns from them.

    Args:
        messages: 1 to 100 messages, in the order they were said, with at most 100,000 characters in all.
        owner: The owner of what is learnt.
        actor: Who gave them.
        context: Messages before them, by which they are understood. Nothing is learnt from these.

    Returns:
        The stored row and its job.

    Raises:
        InvalidInput: If the owner's memory is off or the messages are too long.
    """
    if not get_preferences(owner).memory_on:
        raise InvalidInput("Memory is switched off for this person.")
    if not EXTRACTION.enabled:
        raise InvalidInput("Extraction is switched off on this site.")
    if sum(len(one.content) for one in (*context, *messages)) > MOST_CHARACTERS:
        raise InvalidInput(f"The messages have more than {MOST_CHARACTERS:,} characters together.")
    shown = [*(_stored(one) | {_IS_CONTEXT: True} for one in context), *map(_stored, messages)]
    with transaction.atomic():
        GivenMessages.objects.filter(owner_id=owner, created_at__lt=timezone.now() - _KEPT).delete()
        row = GivenMessages.objects.create(owner_id=owner, actor=actor, messages=shown)
        return row, enqueue(TASK, row.pk, owner, owner=owner)


def get_given(given_id: str | UUID, *, owner: UUID) -> GivenMessages:
    """Return the owner's row of this id.

    Raises:
        NotFound: If there is none.
    """
    identifier = given_id if isinstance(given_id, UUID) else parse_id(given_id)
    row = GivenMessages.objects.filter(owner_id=owner, pk=identifier).first() if identifier else None
    if row is None:
        raise NotFound("There is no such extraction.")
    return row


def list_results(row: GivenMessages) -> tuple[LearningResult, ...]:
    """Return what was learnt, with the memories as they are now. Makes two queries."""
    ids = {UUID(one["memory_id"]) for one in row.outcomes if one["memory_id"]}
    memories = add_links(list_memories(owner=row.owner_id)).in_bulk(list(ids)) if ids else {}
    return tuple(
        LearningResult(
            Action(one["action"]),
            memories.get(UUID(one["memory_id"])) if one["memory_id"] else None,
            one["reason"],
        )
        for one in row.outcomes
    )


def learn_from_given(given_id: UUID, *, owner: UUID) -> int:
    """Learn from given messages once, and return the number of candidates.

    No transaction is open while a model answers.

    Raises:
        LeaseBusy: If another extraction of the same owner runs.
    """
    row = GivenMessages.objects.filter(owner_id=owner, pk=given_id).first()
    if row is None or row.finished_at is not None:
        return 0
    preferences = get_preferences(owner)
    with hold_lease(f"extract:{owner}", _LEASE_SECONDS) as token:
        model = get_chat_model("fast", owner=owner, purpose=ModelPurpose.LEARNING)
        candidates = _read(row, model) if preferences.memory_on else []

        def finish(written: WriteResult | None) -> None:
            check_lease(token)
            _finish(row, written)

        if candidates:
            pending = not preferences.auto_extract
            write_candidates(candidates, owner=owner, actor=ACTOR, pending=pending, finish=finish)
        else:
            with transaction.atomic():
                finish(None)
    return len(candidates)


def _stored(given: GivenMessage) -> dict[str, Any]:
    return {
        "role": given.role,
        "content": redact_text(given.content).text,
        "speaker": redact_text(given.speaker).text,
        "at": given.at.isoformat(),
    }


def _utterances(row: GivenMessages) -> list[Utterance]:
    return [
        Utterance(
            reference=f"given:{row.pk}:{place}",
            role=MessageRole(one["role"]),
            content=one["content"],
            at=datetime.fromisoformat(one["at"]),
            speaker=one["speaker"],
        )
        for place, one in enumerate(row.messages)
    ]


def _read(row: GivenMessages, model: ChatModel | None) -> list[Candidate]:
    """Return the candidates found in the messages. Set who found them, and any error, on the row."""
    began = time.monotonic()
    utterances = _utterances(row)
    fresh = (place for place, one in enumerate(row.messages) if not one.get(_IS_CONTEXT))
    starts: dict[int, int] = dict.fromkeys(fresh, 0)
    found: list[Candidate] = []
    sources: set[str] = set()
    failed = ""
    while starts:
        places = list(starts)[: EXTRACTION.window_messages]
        earlier = utterances[max(0, places[0] - _CONTEXT) : places[0]]
        window = make_window([UnreadMessage(utterances[place], starts[place]) for place in places], earlier)
        spent = time.monotonic() - began
        late = _NO_TIME if model is not None and spent > _READ_SECONDS else ""
        with time_limit(max(1.0, _MODEL_SECONDS - spent)):
            extraction = extract(window, model, unavailable=failed or late)
        found += extraction.candidates
        sources.add(extraction.source)
        row.error = row.error or extraction.error[:_ERROR]
        failed = extraction.error if extraction.failed else failed
        for place, end in zip(places, extraction.ends, strict=False):
            if end is None:
                del starts[place]
            else:
                starts[place] = end
    row.source = AnswerSource.LLM if sources == {AnswerSource.LLM} else AnswerSource.FALLBACK
    return found


def _finish(row: GivenMessages, written: WriteResult | None) -> None:
    row.messages, row.finished_at = [], timezone.now()
    if written is not None:
        row.batch_id = written.batch_id
        row.outcomes = [
            {
                "action": one.action,
                "memory_id": str(one.memory.pk) if one.memory is not None else None,
                "reason": one.reason,
            }
            for one in written.outcomes
            if one.reason != CHANGES_NOTHING
        ]
    row.save()
