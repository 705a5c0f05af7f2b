"""Read a thread of Memsite's own export, and give its rows the ids that they have for this owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from memsite.values import MessageRole
from porting.formats import read_text
from threads.messages import ExternalId, GivenBranch, GivenNode, GivenThread

Rename = Callable[[UUID], UUID]
Text = Annotated[str, AfterValidator(read_text)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
_CONTENT = 1_000_000  # characters of a message


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class OwnMessage(_Part):
    """A message as it is exported."""

    id: UUID
    parent: UUID | None = None
    role: MessageRole
    content: Text = Field("", max_length=_CONTENT)
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: Text | None = Field(None, max_length=255)
    state: dict[str, Any] = Field(default_factory=dict)
    client_id: Text | None = Field(None, max_length=255)
    do_not_remember: bool = False
    created_at: AwareDatetime

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.role == MessageRole.TOOL and not self.tool_call_id:
            raise ValueError("a tool's message names no call")
        return self


class OwnBranch(_Part):
    """A branch as it is exported."""

    name: Text | None = Field(None, min_length=1, max_length=100)
    head: UUID | None = None
    is_current: bool = False
    created_at: AwareDatetime


class OwnSummary(_Part):
    """A summary as it is exported."""

    id: UUID
    last_message_id: UUID
    content: Text
    structured: dict[str, Any] = Field(default_factory=dict)
    token_count: Count = 0
    source: Text = Field("", max_length=16)
    error: Text = Field("", max_length=500)
    waiting: Count = 0
    is_provisional: bool = False
    is_stale: bool = False
    undone_at: AwareDatetime | None = None
    created_at: AwareDatetime
    updated_at: AwareDatetime


class OwnTaskState(_Part):
    """A task state as it is exported."""

    current_goal: Text = ""
    completed_steps: list[Any] = Field(default_factory=list)
    pending_steps: list[Any] = Field(default_factory=list)
    key_findings: list[Any] = Field(default_factory=list)
    written_by: Text = Field("client", max_length=12)
    updated_at: AwareDatetime


class OwnHead(_Part):
    """The thread itself as it is exported."""

    id: UUID
    external_id: ExternalId | None = None
    title: Text = Field("", max_length=200)
    title_is_given: bool = False
    system_prompt: Text = ""
    is_temporary: bool = False
    metadata: dict[str, Any] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    created_at: AwareDatetime
    updated_at: AwareDatetime
    last_message_at: AwareDatetime | None = None
    closed_at: AwareDatetime | None = None


class OwnThread(_Part):
    """A whole thread as it is exported."""

    thread: OwnHead
    branches: list[OwnBranch] = Field(default_factory=list)
    task_state: OwnTaskState | None = None
    summaries: list[OwnSummary] = Field(default_factory=list)
    messages: list[OwnMessage] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check(self) -> Self:
        ids = {one.id for one in self.messages}
        ends = {one.head for one in self.branches} | {one.parent for one in self.messages}
        ends |= {one.last_message_id for one in self.summaries}
        if len(ids) != len(self.messages):
            raise ValueError("two messages have the same id")
        if ends - ids - {None}:
            raise ValueError("a message that others refer to is missing")
        if self.thread.is_temporary:
            raise ValueError("temporary threads are not kept")
        names = [one.name for one in self.branches if one.name is not None]
        if len(set(names)) != len(names):
            raise ValueError("two branches have the same name")
        return self

    def list_ids(self) -> list[UUID]:
        """Return the ids of the messages."""
        return [one.id for one in self.messages]


def make_own_thread(own: OwnThread, rename: Rename) -> GivenThread:
    """Return the thread with the ids of this owner. Offloaded content is put back into its messages."""
    head = own.thread
    return GivenThread(
        id=rename(head.id),
        title=head.title,
        created_at=head.created_at,
        updated_at=head.updated_at,
        values=head.model_dump(
            include={
                "external_id",
                "title_is_given",
                "system_prompt",
                "metadata",
                "settings",
                "last_message_at",
                "closed_at",
            }
        ),
        messages=[
            GivenNode(
                id=rename(one.id),
                parent=rename(one.parent) if one.parent is not None else None,
                role=one.role,
                content=one.content,
                created_at=one.created_at,
                tool_calls=one.tool_calls,
                tool_call_id=one.tool_call_id or "",
                state=one.state,
                client_id=one.client_id,
                do_not_remember=one.do_not_remember,
            )
            for one in own.messages
        ],
        branches=[
            GivenBranch(
                one.name, rename(one.head) if one.head else None, one.created_at, is_current=one.is_current
            )
            for one in own.branches
        ],
        summaries=[
            one.model_dump() | {"id": rename(one.id), "last_message_id": rename(one.last_message_id)}
            for one in own.summaries
        ],
        task_state=own.task_state.model_dump() if own.task_state is not None else None,
    )
