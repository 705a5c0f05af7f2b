"""The branches of a thread and the summary of its current branch, as a page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from threads.models import Branch, Thread, ThreadSummary
from threads.storage import branches_of, load_path
from threads.summarization import SummaryPosition, find_shown_summary


@dataclass(frozen=True, slots=True)
class ThreadState:
    """State of a thread.

    Attributes:
        branches: The newest first; empty if there is only one.
        summary: The nearest summary of the current branch.
    """

    branches: list[Branch]
    summary: ThreadSummary | None


def load_thread_state(thread: Thread) -> ThreadState:
    """Return the state of a thread. Two queries."""
    branches = branches_of(thread.pk, owner=thread.owner_id)
    summary = find_shown_summary(SummaryPosition(thread, load_path(thread.current_branch)))
    return ThreadState(branches[::-1] if len(branches) > 1 else [], summary)
