"""Background tasks of threads. Each takes ids, makes one call and is idempotent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from memories.conf import EXTRACTION
from memsite.errors import NotFound
from memsite.jobs import hold_lease
from threads import replies
from threads.compaction import NO_COMPACTION, compact_branch
from threads.conf import COMPACTION_SECONDS, SWEEP_THREADS, TEMPORARY_LIFETIME
from threads.learning import learning, queue_quiet_threads
from threads.messages import mark_withheld, removal
from threads.storage import list_threads_to_learn, queue_learning, queue_summary
from threads.summarization import queue_owed_summaries, staleness, summarising


def learn(thread_id: str, owner: str) -> dict[str, int]:
    """Learn from one thread's new messages. Return how many candidates met with each action."""
    mark_withheld(UUID(thread_id), owner=UUID(owner))
    return learning.learn_from_thread(UUID(thread_id), owner=UUID(owner))


def extract(thread_id: str, owner: str) -> dict[str, int]:
    """Learn from one thread's new messages, and read all messages that wait for a model."""
    mark_withheld(UUID(thread_id), owner=UUID(owner))
    return learning.learn_from_thread(UUID(thread_id), owner=UUID(owner), whole=True)


def sweep() -> int:
    """Queue learning for threads with waiting messages, and extraction for silent threads.

    Returns:
        How many threads were queued.
    """
    waiting = list_threads_to_learn(SWEEP_THREADS)
    for owner, thread_id in waiting:
        queue_learning(thread_id, owner=owner)
    quiet = timezone.now() - timedelta(minutes=EXTRACTION.quiet_minutes)
    return len(waiting) + queue_quiet_threads(quiet, SWEEP_THREADS)


def sweep_replies() -> int:
    """End the replies whose process was killed. Return how many."""
    return replies.end_lost()


def summarise(thread_id: str, branch: str, owner: str, force: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 - a job's arguments have no names
    """Update a branch's summary up to its head.

    Returns:
        Who wrote it, the model's error, and whether messages are left to another job.
    """
    try:
        done = summarising.summarise_branch(
            UUID(thread_id), owner=UUID(owner), branch=UUID(branch), force=force
        )
    except NotFound:  # the thread or branch was deleted meanwhile
        return {"source": "", "error": None, "is_left": False}
    return {"source": done.source, "error": done.error, "is_left": done.is_unfinished}


def refresh_summaries(thread_id: str, owner: str) -> int:
    """Rewrite a thread's stale summaries. Return on how many branches."""
    return staleness.refresh_summaries(UUID(thread_id), owner=UUID(owner))


def compact(thread_id: str, owner: str, force: bool = False) -> dict[str, int]:  # noqa: FBT001, FBT002 - a job's arguments have no names
    """Compact a thread's current branch, and queue a summary if that is not enough. Return the numbers."""
    name = f"compact:{thread_id}"
    try:
        with hold_lease(name, COMPACTION_SECONDS):
            done = compact_branch(UUID(thread_id), owner=UUID(owner), force=force)
    except NotFound:  # the thread was deleted meanwhile
        return NO_COMPACTION.as_json()
    if done.is_full and done.branch_id is not None:
        queue_summary(UUID(thread_id), done.branch_id, owner=UUID(owner), force=True)
    return done.as_json()


def sweep_summaries() -> int:
    """Queue summaries that are due, stale, or waiting for a model that failed. Return how many."""
    return queue_owed_summaries(SWEEP_THREADS)


def expire_temporary() -> int:
    """Close temporary threads that are a day old. Return how many."""
    return removal.expire_temporary_threads(before=timezone.now() - TEMPORARY_LIFETIME, most=SWEEP_THREADS)
