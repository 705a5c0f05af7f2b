"""Settings that keep a thread's contexts small: thresholds and switches of each thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Self
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel, ConfigDict, Field, model_validator

from threads.conf import COMPACTION, MOST_KEPT_LAST, MOST_MAX_TOKENS, SUMMARY
from threads.models import Thread
from threads.storage import get_thread, log_thread_event


class ContextSettings(BaseModel):
    """Settings that limit the context of one thread. `compaction_at` must not exceed `summarisation_at`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    is_on: bool = Field(default=True, description="off: nothing is offloaded unless it is asked for")
    pre_rot: int = Field(
        default=COMPACTION.pre_rot,
        ge=100,
        le=MOST_MAX_TOKENS,
        description="live tokens of a line before it rots",
    )
    compaction_at: float = Field(default=COMPACTION.compact_at, gt=0, le=1, description="share of pre_rot")
    summarisation_at: float = Field(
        default=COMPACTION.summarise_at, gt=0, le=1, description="share of pre_rot"
    )
    keep_last: int = Field(
        default=COMPACTION.keep_last,
        ge=1,
        le=MOST_KEPT_LAST,
        description="newest messages that are never touched",
    )
    tool_result_tokens: int = Field(
        default=COMPACTION.tool_result_tokens,
        ge=1,
        le=MOST_MAX_TOKENS,
        description="a single tool result over this is offloaded at once",
    )
    model: str = Field(
        default="",
        max_length=200,
        description="of the thread's answers: contexts count tokens in its encoding, if that is built in; "
        "empty: the site's model",
    )
    summary_by_messages: bool = Field(
        default=True, description=f"a summary is due after {SUMMARY.messages} new messages"
    )
    summary_by_tokens: bool = Field(
        default=True, description=f"a summary is due after {SUMMARY.tokens:,} new tokens"
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.compaction_at > self.summarisation_at:
            raise ValueError("compaction_at is at most summarisation_at")
        return self

    @property
    def compaction_tokens(self) -> int:
        """Live tokens at which a branch is compacted."""
        return int(self.pre_rot * self.compaction_at)

    @property
    def summarisation_tokens(self) -> int:
        """Live tokens at which a branch is summarised as well."""
        return int(self.pre_rot * self.summarisation_at)


_DEFAULTS: Final = ContextSettings()


def load_settings(thread: Thread) -> ContextSettings:
    """Return a thread's settings; those that it does not set have defaults."""
    return ContextSettings.model_validate(thread.settings) if thread.settings else _DEFAULTS


def change_settings(thread_id: str | UUID, changes: Mapping[str, Any], *, owner: UUID) -> ContextSettings:
    """Change some of a thread's settings. None resets a setting to its default.

    Raises:
        NotFound: If the owner has no such thread.
        pydantic.ValidationError: If a value is invalid.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        wished = {**thread.settings, **changes}
        thread.settings = {name: value for name, value in wished.items() if value is not None}
        changed = load_settings(thread)
        thread.updated_at = timezone.now()
        thread.save(update_fields=["settings", "updated_at"])
        log_thread_event(thread, action="settings")
    return changed
