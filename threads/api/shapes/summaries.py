"""Schemas of summaries and task states."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from memsite.rest.parsing import Body
from memsite.values import OutcomeStatus
from threads.api.shapes.threads import ExtractIn
from threads.conf import STATE_GOAL_CHARACTERS, STATE_STEP_CHARACTERS, STATE_STEPS
from threads.messages import Text
from threads.models import TaskStateWriter

Step = Annotated[Text, Field(min_length=1, max_length=STATE_STEP_CHARACTERS)]
Steps = Annotated[list[Step], Field(max_length=STATE_STEPS)]


class SummariseIn(ExtractIn):
    """Request for a summary.

    `wait`: seconds to wait for the result, at most 60; true waits as long as allowed. `force`: even if not
    due.
    """

    force: bool = False


class SummaryQuery(Body):
    branch: str = Field("", max_length=100, description="the current one by default")


class TaskStateIn(Body):
    """The task state. PUT empties fields that are not given; PATCH leaves them unchanged."""

    current_goal: Text = Field("", max_length=STATE_GOAL_CHARACTERS)
    completed_steps: Steps = Field(default_factory=list)
    pending_steps: Steps = Field(default_factory=list)
    key_findings: Steps = Field(default_factory=list)


class DumpOut(BaseModel):
    """What a summary replaced, so that it can be undone: ids, no texts."""

    messages: list[UUID]
    offloaded: list[UUID]
    based_on: UUID | None
    previous: dict[str, Any] | None
    task_state: dict[str, Any] | None


class StructuredOut(BaseModel):
    """The structured part of a summary."""

    user_goal: str
    last_step: str
    key_decisions: list[str]
    modified_files: list[str]
    critical_context: dict[str, str]
    timestamp: datetime
    dump: DumpOut


class SummaryOut(BaseModel):
    """A summary.

    `waiting`: number of messages that the remark at the end of the content mentions. `is_stale`: a message
    that it covers was deleted.
    """

    id: UUID
    thread: UUID
    last_message: UUID
    content: str
    structured: StructuredOut
    token_count: int
    source: str = Field(description="who wrote the content: llm or fallback")
    error: str | None
    waiting: int
    is_stale: bool
    created_at: datetime
    updated_at: datetime


class StandingOut(BaseModel):
    """The active summary, null for none, and the messages that it does not cover yet."""

    summary: SummaryOut | None
    is_due: bool
    new_messages: int
    new_tokens: int


class SummariseOut(BaseModel):
    """The state of the branch's summary, whichever job wrote it."""

    status: Literal[OutcomeStatus.DONE, OutcomeStatus.FAILED]
    source: str = Field(description="llm or fallback; empty where there is no summary")
    error: str | None
    summary: SummaryOut | None


class RestoredOut(BaseModel):
    """Result of undoing a summary.

    `summary`: the active summary. `messages`: the messages that the undone summary covered.
    """

    summary: SummaryOut | None
    messages: list[UUID]
    task_state_restored: bool


class TaskStateOut(BaseModel):
    """The task state of a thread. `written_by`: who wrote it last."""

    current_goal: str
    completed_steps: list[str]
    pending_steps: list[str]
    key_findings: list[str]
    written_by: TaskStateWriter | None
    updated_at: datetime | None
