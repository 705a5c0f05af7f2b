"""The branches of a thread and the summary of its current branch, as a page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from threads.models import Branch, Thread, ThreadSummary
from threads.storage import branches_of, path_of
from threads.summarization import Place, shown


@dataclass(frozen=True, slots=True)
class Standing:
    """State of a thread.

    Attributes:
        branches: The newest first; empty if there is only one.
        summary: The nearest summary of the current branch.
    """

    branches: list[Branch]
    summary: ThreadSummary | None


def standing_of(thread: Thread) -> Standing:
    """Return the state of a thread. Two queries."""
    branches = branches_of(thread.pk, owner=thread.owner_id)
    summary = shown(Place(thread, path_of(thread.current_branch)))
    return Standing(branches[::-1] if len(branches) > 1 else [], summary)
