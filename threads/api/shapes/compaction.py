"""Schemas of compaction, offloaded content and a thread's settings."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memsite.llm.chat import AnswerSource
from memsite.rest.parsing import Body, require_any
from memsite.values import OutcomeStatus
from threads.api.shapes.threads import ExtractIn, MessageOut
from threads.conf import MOST_KEPT_LAST, MOST_MAX_TOKENS, RESTORED_AT_ONCE


class MessageQuery(Body):
    full: bool = Field(default=False, description="offloaded content whole, in place of its pointer")


class SettingsPatch(Body):
    """Settings to change; null resets one to its default."""

    is_on: bool | None = None
    pre_rot: int | None = Field(None, ge=100, le=MOST_MAX_TOKENS)
    compaction_at: float | None = Field(None, gt=0, le=1, allow_inf_nan=False)
    summarisation_at: float | None = Field(None, gt=0, le=1, allow_inf_nan=False)
    keep_last: int | None = Field(None, ge=1, le=MOST_KEPT_LAST)
    tool_result_tokens: int | None = Field(None, ge=1, le=MOST_MAX_TOKENS)
    summary_by_messages: bool | None = None
    summary_by_tokens: bool | None = None

    def changes(self) -> dict[str, Any]:
        """Return the fields that were sent."""
        return self.model_dump(exclude_unset=True)


class CompactIn(ExtractIn):
    """Request for a compaction. `force`: offload all bulky content, however few live tokens there are."""

    force: bool = False


class CompactOut(BaseModel):
    """Result of a compaction."""

    status: Literal[OutcomeStatus.DONE, OutcomeStatus.FAILED]
    source: Literal[AnswerSource.FALLBACK] = Field(description="rules alone decide what is put away")
    error: str | None
    messages: int = Field(description="put away by this run")
    tokens_before: int
    tokens_after: int
    tokens_saved: int


class RestoreIn(Body):
    """Messages whose content is to be restored."""

    messages: list[UUID] = Field(min_length=1, max_length=RESTORED_AT_ONCE)


class RestoreOut(BaseModel):
    results: list[MessageOut]


class OffloadedIn(Body):
    """Messages by their ids, or by the `memory_id` of their pointers."""

    model_config = ConfigDict(json_schema_extra=require_any("messages", "memory_ids"))

    messages: list[UUID] = Field(default_factory=list, max_length=RESTORED_AT_ONCE)
    memory_ids: list[UUID] = Field(default_factory=list, max_length=RESTORED_AT_ONCE)

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not self.messages and not self.memory_ids:
            raise ValueError("give messages or memory_ids")
        return self


class WholeOut(BaseModel):
    """A message's original content."""

    message: UUID
    content: str


class OffloadedOut(BaseModel):
    results: list[WholeOut]


class MetricsOut(BaseModel):
    """What keeping a thread small achieved."""

    compactions: int = Field(description="runs that put something away")
    summarisations: int
    offloaded: int = Field(description="messages put away, those put away at once too")
    restored: int
    tokens_before: int = Field(description="live tokens of the line before the last compaction")
    tokens_after: int
    tokens_saved: int = Field(description="by all that is or was put away, less what was brought back")
    compacted_at: datetime | None
    live_tokens: int = Field(description="of the current line now")
