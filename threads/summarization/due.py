"""Decide when a summary is due: after ten new messages, or 3,000 tokens of them (both are settings).

A thread's settings can switch either rule off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from threads.conf import SUMMARY
from threads.models import Branch, Message, Thread
from threads.storage import queue_summary

#: Names of the settings; both are on unless set to false.
BY_MESSAGES: Final = "summary_by_messages"
BY_TOKENS: Final = "summary_by_tokens"


@dataclass(frozen=True, slots=True)
class UnsummarisedCount:
    """Number of new messages that no summary covers, and of their tokens."""

    messages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SummaryThresholds:
    """The rules that are switched on in a thread."""

    by_messages: bool = True
    by_tokens: bool = True

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> SummaryThresholds:
        """Read from a thread's settings; a rule is on unless it is `false`."""
        return cls(settings.get(BY_MESSAGES) is not False, settings.get(BY_TOKENS) is not False)

    def call_for(self, waiting: UnsummarisedCount) -> bool:
        """Return whether so many new messages require a summary."""
        return (self.by_messages and waiting.messages >= SUMMARY.messages) or (
            self.by_tokens and waiting.tokens >= SUMMARY.tokens
        )


def queue_if_due(thread: Thread, head: Message) -> None:
    """Queue a summary of the current branch in the caller's transaction, if it is due. No query otherwise.

    Temporary threads never have jobs.

    Args:
        head: The branch's newest message.
    """
    hint = UnsummarisedCount(head.unsummarised, head.unsummarised_tokens)
    branch: Branch | None = thread.current_branch
    if branch is None or thread.is_temporary or not SummaryThresholds.of(thread.settings).call_for(hint):
        return
    queue_summary(thread.pk, branch.pk, owner=thread.owner_id)
