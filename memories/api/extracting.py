"""Learn from given messages over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, Field
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memories.api.rendering import memory_json
from memories.api.shapes.memories import MemoryOut
from memories.models import GivenMessages
from memories.writing import MOST_CHARACTERS, MOST_GIVEN, GivenMessage, learning
from memsite.jobs import find_job
from memsite.jobs.models import Job, Status
from memsite.rest.held import QUEUED, HeldResponse, HeldView
from memsite.rest.parsing import Body, Moment
from memsite.rest.views import ApiView, get_owner, parse_body
from memsite.values import MessageRole, OutcomeStatus

LONGEST_WAIT: Final = 60.0  # The most seconds that an answer is held.


class GivenMessageIn(Body):
    """One message. `created_at` is when it was said, to which "yesterday" refers; by default now."""

    role: Literal[MessageRole.USER, MessageRole.ASSISTANT]
    content: str = Field(min_length=1, max_length=MOST_CHARACTERS)
    speaker: str = Field("", max_length=120)
    created_at: Moment | None = None


class GivenMessagesIn(Body):
    """Messages to learn from. `wait` is the seconds to hold the answer, at most 60; true waits 60.

    `context` are the messages before them, by which they are understood ("yes, the second one"). Nothing is
    learnt from these.
    """

    messages: list[GivenMessageIn] = Field(min_length=1, max_length=MOST_GIVEN)
    context: list[GivenMessageIn] = Field(default=[], max_length=MOST_GIVEN)
    wait: bool | Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = False

    def seconds(self) -> float:
        """Return the seconds to wait; 0 not to wait."""
        if isinstance(self.wait, bool):
            return LONGEST_WAIT if self.wait else 0.0
        return min(self.wait, LONGEST_WAIT)

    def given(self) -> tuple[list[GivenMessage], list[GivenMessage]]:
        """Return the messages and their context in the form that learning takes."""
        now = timezone.now()
        messages, context = (
            [GivenMessage(one.role, one.content, one.created_at or now, one.speaker) for one in each]
            for each in (self.messages, self.context)
        )
        return messages, context


class LearntFromGivenOut(BaseModel):
    action: str
    memory: MemoryOut | None
    reason: str
    batch_id: UUID | None = Field(description="of the batch that wrote it, by which it is undone")


class ExtractedOut(BaseModel):
    """The result of learning from given messages. `source` is `llm`, `fallback`, or empty while it waits."""

    extraction: UUID
    status: OutcomeStatus
    source: str
    error: str | None
    memories: list[LearntFromGivenOut]


class ExtractQueuedOut(BaseModel):
    job: UUID
    extraction: UUID


class ExtractView(HeldView):
    @extend_schema(
        operation_id="extract_from_messages",
        summary="Learn from messages without a thread",
        request=GivenMessagesIn,
        responses={200: ExtractedOut, 202: ExtractQueuedOut},
    )
    def post(self, request: Request) -> Response:
        """Queue learning. With `wait`, hold the answer until it is done, or answer 202 after that time."""
        body, owner = parse_body(GivenMessagesIn, request), get_owner(request)
        messages, context = body.given()
        row, job = learning.store_given(messages, owner=owner, actor=get_actor(request), context=context)
        queued = {"job": str(job.pk), "extraction": str(row.pk)}
        if not body.seconds():
            return Response(queued, status=QUEUED)

        def look() -> tuple[int, dict[str, Any]]:
            found = find_job(job.pk, owner=owner)
            if not found.has_ended:
                return QUEUED, queued
            return 200, _extracted_json(learning.get_given(row.pk, owner=owner), found)

        return HeldResponse(look, body.seconds())


class ExtractedView(ApiView):
    @extend_schema(
        operation_id="get_extraction", summary="What given messages led to", responses=ExtractedOut
    )
    def get(self, request: Request, given_id: str) -> Response:
        """Return the result, up to 30 days after the messages were given."""
        return Response(_extracted_json(learning.get_given(given_id, owner=get_owner(request)), None))


def _extracted_json(row: GivenMessages, job: Job | None) -> dict[str, Any]:
    failed = job is not None and job.status in (Status.FAILED, Status.DEAD)
    read = OutcomeStatus.WAITING if row.finished_at is None else OutcomeStatus.DONE
    return {
        "extraction": str(row.pk),
        "status": OutcomeStatus.FAILED if failed else read,
        "source": row.source,
        "error": (job.error if failed and job is not None else row.error) or None,
        "memories": [
            {
                "action": one.action,
                "memory": None if one.memory is None else memory_json(one.memory),
                "reason": one.reason,
                "batch_id": str(row.batch_id) if one.memory is not None else None,
            }
            for one in learning.list_results(row)
        ],
    }
