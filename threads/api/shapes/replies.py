"""Schemas of replies."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memsite.rest.parsing import Body, require_one
from threads.api.shapes.contexts import CitationOut, MetadataOut, TokenStatsOut
from threads.api.shapes.threads import MessageOut
from threads.conf import (
    CONTENT_CHARACTERS,
    DEFAULT_MAX_TOKENS,
    ID_CHARACTERS,
    MOST_MAX_TOKENS,
    OUTPUT_TOKENS,
)
from threads.messages import Text
from threads.models import ReplyStatus


class ReplyIn(Body):
    """A user message, or an answer to write again on a new branch.

    `regenerate`: id of the answer or its question; true for the last one of the current branch. `client_id`:
    id of the message; if it is sent again, the same answer is returned. `stream`: as server-sent events.
    """

    model_config = ConfigDict(json_schema_extra=require_one("input", "regenerate"))

    input: Text | None = Field(None, min_length=1, max_length=CONTENT_CHARACTERS)
    regenerate: UUID | bool = False
    client_id: Text | None = Field(None, min_length=1, max_length=ID_CHARACTERS)
    max_tokens: int = Field(DEFAULT_MAX_TOKENS, ge=1, le=MOST_MAX_TOKENS)
    max_output_tokens: int | None = Field(None, ge=1, le=OUTPUT_TOKENS)
    temperature: float = Field(0.7, ge=0, le=2, allow_inf_nan=False)
    stream: bool = False

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.input is None) == (self.regenerate is False):
            raise ValueError("give either input or regenerate")
        return self


class StopIn(Body):
    """The reply to stop; by default all running ones of the thread."""

    reply: UUID | None = None


class ReplyStandingOut(BaseModel):
    """State of a reply.

    `source`: llm, or fallback if no model is configured or it gave no answer. `error`: how the model or the
    reply failed.
    """

    id: UUID
    status: ReplyStatus
    source: str
    error: str | None
    created_at: datetime
    finished_at: datetime | None


class ReplyOut(BaseModel):
    """A reply.

    `message`: the stored answer; null if none was stored. The fields of the context are null if the answer
    existed already.
    """

    reply: ReplyStandingOut
    question: MessageOut
    message: MessageOut | None
    token_stats: TokenStatsOut | None
    metadata: MetadataOut | None
    citations: list[CitationOut] | None


class BegunOut(BaseModel):
    """The question is stored and the context is assembled."""

    reply: ReplyStandingOut
    question: MessageOut
    token_stats: TokenStatsOut | None
    metadata: MetadataOut | None
    citations: list[CitationOut] | None


class DeltaOut(BaseModel):
    """A piece of the answer."""

    text: str


class EndedOut(BaseModel):
    """The reply has ended. `message`: the stored answer; null if none was stored."""

    reply: ReplyStandingOut
    message: MessageOut | None


class StreamErrorOut(BaseModel):
    """The error that ended the stream."""

    code: str
    message: str
    detail: Any


class ReplyEvent(BaseModel):
    """A server-sent event: its name in the line `event:`, its data as JSON in the line `data:`.

    First `begun`, then `delta` for each piece of the answer, last `ended`. An `error` ends the stream.
    """

    event: Literal["begun", "delta", "ended", "error"]
    data: BegunOut | DeltaOut | EndedOut | StreamErrorOut


class StoppedOut(BaseModel):
    results: list[ReplyStandingOut]
