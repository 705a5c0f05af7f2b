"""Schemas of the threads API: input is validated by them, output is described by them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, RootModel

from memories.api.shapes.memories import MemoryOut
from memsite.jobs.models import Status
from memsite.rest.pagination import PageQuery
from memsite.rest.parsing import Body, Moment, make_list
from memsite.values import MessageRole, OutcomeStatus
from threads.conf import (
    BATCH_MESSAGES,
    EXTRACT_WAIT,
    MOST_MAX_TOKENS,
    PROMPT_CHARACTERS,
    TITLE_CHARACTERS,
)
from threads.messages import ExternalId, JsonObject, NewMessage, Text, ToolCall


class ThreadIn(Body):
    """A thread to create. Without a title it takes one from its first message."""

    title: Text = Field("", max_length=TITLE_CHARACTERS)
    system_prompt: Text = Field("", max_length=PROMPT_CHARACTERS)
    is_temporary: bool = Field(
        default=False, description="neither reads nor writes long-term memory; gone when closed or after 24 h"
    )
    metadata: JsonObject = Field(default_factory=dict)
    external_id: ExternalId | None = Field(
        None, description="the id of the conversation in your program; unique for the owner"
    )


class ThreadPatch(Body):
    """Fields to change. With an empty title, the next message gives the thread its title."""

    title: Text = Field("", max_length=TITLE_CHARACTERS)
    system_prompt: Text = Field("", max_length=PROMPT_CHARACTERS)
    metadata: JsonObject = Field(default_factory=dict)

    def changes(self) -> dict[str, Any]:
        """Return the fields that were sent."""
        return self.model_dump(exclude_unset=True)


class ThreadsQuery(PageQuery):
    is_temporary: bool | None = None
    external_id: str = Field("", description="only the thread with this external id")


class MessagesIn(Body):
    """Messages to append in order, all or none."""

    messages: list[NewMessage] = Field(min_length=1, max_length=BATCH_MESSAGES)


class AppendIn(RootModel[NewMessage | MessagesIn]):
    """One message, or several in order."""


class MessagePatch(Body):
    do_not_remember: bool


class CountQuery(Body):
    """Selects messages of a branch (by default the current one) by role, position and time."""

    branch: str = Field("", max_length=100)
    role: Annotated[list[MessageRole] | MessageRole, AfterValidator(make_list)] = []
    before: Text | None = Field(None, description="only messages before this one: its id, or its `client_id`")
    after: Text | None = Field(None, description="only messages after this one")
    since: Moment | None = None
    until: Moment | None = None


class MessagesQuery(CountQuery, PageQuery):
    """A page of messages; with `max_tokens` the newest that fit, in one page."""

    order: Literal["asc", "desc"] = "asc"
    max_tokens: int | None = Field(None, ge=1, le=MOST_MAX_TOKENS)


class ExtractIn(Body):
    """Request to learn. `wait`: seconds to wait, at most 60; true waits as long as allowed."""

    wait: bool | Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = False

    def seconds(self) -> float:
        """Return how many seconds to wait; 0 for not at all."""
        if isinstance(self.wait, bool):
            return EXTRACT_WAIT if self.wait else 0.0
        return min(self.wait, EXTRACT_WAIT)


class ThreadOut(BaseModel):
    id: UUID
    owner: UUID
    external_id: str | None
    title: str
    system_prompt: str
    is_temporary: bool
    metadata: dict[str, Any]
    branch: str | None = Field(description="the current one; null while it has no name")
    created_at: datetime
    updated_at: datetime
    last_message_at: datetime | None
    closed_at: datetime | None


class ThreadPage(BaseModel):
    results: list[ThreadOut]
    next: str | None
    previous: str | None


class MessageOut(BaseModel):
    id: UUID
    thread: UUID
    parent: UUID | None
    role: MessageRole
    content: str
    tool_calls: list[ToolCall] | None
    tool_call_id: str | None
    state: dict[str, Any]
    token_count: int = Field(description="4 + content + tool calls as JSON, in o200k_base")
    is_compacted: bool = Field(description="content is a pointer; `full=true` gives the whole")
    client_id: str | None
    do_not_remember: bool
    created_at: datetime


class MessagePage(BaseModel):
    results: list[MessageOut]
    next: str | None
    previous: str | None


class MessagesOut(BaseModel):
    results: list[MessageOut]


class AppendOut(RootModel[MessageOut | MessagesOut]):
    """The stored message, or the stored messages in order."""


class RemovedOut(BaseModel):
    """Result of a deletion.

    `forgotten`: the episodes that mirrored the messages. `batch_id`: the batch that undoes the forgetting.
    """

    messages: int
    forgotten: list[UUID]
    batch_id: UUID | None


class LearntOut(BaseModel):
    """The outcome of one candidate."""

    action: str
    memory: MemoryOut | None
    reason: str
    batch_id: UUID | None = Field(description="of the batch that wrote it, by which it is undone")


class ExtractOut(BaseModel):
    """What was learnt from the messages since the previous request, whichever job did it."""

    status: Literal[OutcomeStatus.DONE, OutcomeStatus.FAILED]
    source: str = Field(description="llm or fallback; empty where nothing was there to learn from")
    error: str | None
    memories: list[LearntOut]


class JobOut(BaseModel):
    """A queued job."""

    job: UUID


class JobStandingOut(BaseModel):
    """A background job. `done`, `failed` and `dead` (out of attempts) are final."""

    id: UUID
    task: str
    status: Status
    attempts: int
    error: str | None = Field(description="why it, or its last attempt, failed; never holds text of a person")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
