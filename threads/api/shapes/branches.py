"""Schemas of branches."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memsite.rest.parsing import Body, refuse_both, require_one
from threads.api.shapes.threads import MessageOut, ThreadOut
from threads.conf import BATCH_MESSAGES, ID_CHARACTERS
from threads.messages import Text

Name = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=200,
        description="a branch's name, which is no id",
        json_schema_extra={"pattern": r"^\w[\w.\-]{0,99}$"},
    ),
]
Reference = Annotated[Text, Field(min_length=1, max_length=200, description="a branch's name or id")]


MessageReference = Annotated[
    Text, Field(min_length=1, max_length=ID_CHARACTERS, description="a message's id, or its `client_id`")
]


class BranchIn(Body):
    """The name of a branch at a message, by default at the current head."""

    name: Name
    from_message: MessageReference | None = None


class BranchPatch(Body):
    name: Name


class DeleteBranchQuery(Body):
    take_back: bool = Field(default=False, description="forget what was learnt there, too")


class CleanupIn(Body):
    keep: list[Reference] = Field(default_factory=list, max_length=1000)


class CheckoutIn(Body):
    """Either a branch or a message."""

    model_config = ConfigDict(json_schema_extra=require_one("branch", "message"))

    branch: Reference | None = None
    message: MessageReference | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.branch is None) == (self.message is None):
            raise ValueError("give either branch or message")
        return self


class MessagesUndoIn(Body):
    """How many messages to go back, by default one; or the message to go back to."""

    model_config = ConfigDict(json_schema_extra=refuse_both("count", "message"))

    count: int | None = Field(None, ge=1, le=1_000_000)
    message: MessageReference | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.count is not None and self.message is not None:
            raise ValueError("give either count or message")
        return self


class CompareQuery(Body):
    left: Reference
    right: Reference


class TakeBackIn(Body):
    branch: Reference
    dry_run: bool = True


class KeepIn(Body):
    memories: list[UUID] = Field(min_length=1, max_length=BATCH_MESSAGES)
    keep: bool = True


class BranchOut(BaseModel):
    id: UUID
    name: str | None
    head: UUID | None
    is_current: bool
    created_at: datetime


class BranchesOut(BaseModel):
    results: list[BranchOut]


class MessagesUndoneOut(BaseModel):
    """Result of moving the head back.

    `messages`: the messages after the new head. `learnt`: memories learnt from these alone.
    """

    thread: ThreadOut
    messages: list[MessageOut]
    kept_by: BranchOut | None
    learnt: list[UUID]


class SideOut(BaseModel):
    """One side of a comparison.

    `count`: number of messages of this branch alone. `messages`: the first 200 of them.
    """

    branch: BranchOut
    count: int
    messages: list[MessageOut]


class ComparisonOut(BaseModel):
    """Two branches compared. `ancestor`: the last message in both."""

    ancestor: MessageOut | None
    left: SideOut
    right: SideOut


class TakenBackOut(BaseModel):
    """Memories that were forgotten, or would be in a dry run. `batch_id`: the batch that undoes it."""

    memories: list[UUID]
    batch_id: UUID | None


class KeptOut(BaseModel):
    memories: list[UUID]
    keep: bool
