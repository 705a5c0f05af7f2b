"""Where a thread stands: its branches, and what the current one's summary says."""

from __future__ import annotations

from dataclasses import dataclass

from threads.models import Branch, Thread, ThreadSummary
from threads.storage import branches_of, path_of
from threads.summarization import Place, shown


@dataclass(frozen=True, slots=True)
class Standing:
    """branches: the newest first, empty where there is but one; summary: the nearest of the current line."""

    branches: list[Branch]
    summary: ThreadSummary | None


def standing_of(thread: Thread) -> Standing:
    """What a page tells of it; two queries."""
    branches = branches_of(thread.pk, owner=thread.owner_id)
    summary = shown(Place(thread, path_of(thread.current_branch)))
    return Standing(branches[::-1] if len(branches) > 1 else [], summary)
