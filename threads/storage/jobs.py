"""Queue the jobs of threads in the caller's transaction, and run those that share a lease one at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from django.db import Error

from memsite.jobs import LeaseBusy, acquire_lease, enqueue, release_lease
from memsite.jobs.models import Job
from threads.conf import LEASE_SECONDS

#: Dotted paths of the tasks, as stored in the queue.
LEARN_TASK: Final = "threads.tasks.learn"
EXTRACT_TASK: Final = "threads.tasks.extract"
SUMMARISE_TASK: Final = "threads.tasks.summarise"
REFRESH_TASK: Final = "threads.tasks.refresh_summaries"
COMPACT_TASK: Final = "threads.tasks.compact"


def queue_learning(thread_id: UUID, *, owner: UUID) -> Job:
    """Queue learning from the new messages of a thread."""
    return enqueue(LEARN_TASK, thread_id, owner, owner=owner, unique_key=f"learn:{thread_id}")


def queue_extraction(thread_id: UUID, *, owner: UUID) -> Job:
    """Queue extraction, by a model if there is one, from all messages of a thread that wait for it."""
    return enqueue(EXTRACT_TASK, thread_id, owner, owner=owner, unique_key=f"extract:{thread_id}")


def queue_summary(thread_id: UUID, branch_id: UUID, *, owner: UUID, force: bool = False) -> Job:
    """Queue a summary of a branch. `force` writes one even if none is due."""
    key = f"summarise:{branch_id}:{'all' if force else 'due'}"
    return enqueue(SUMMARISE_TASK, thread_id, branch_id, owner, force, owner=owner, unique_key=key)


def queue_refresh(thread_id: UUID, *, owner: UUID) -> Job:
    """Queue new summaries in place of the stale ones of a thread."""
    return enqueue(REFRESH_TASK, thread_id, owner, owner=owner, unique_key=f"refresh-summaries:{thread_id}")


def queue_compaction(thread_id: UUID, *, owner: UUID, force: bool = False) -> Job:
    """Queue a compaction of a thread's current branch. `force` compacts also below the threshold."""
    key = f"compact:{thread_id}:{'all' if force else 'due'}"
    return enqueue(COMPACT_TASK, thread_id, owner, force, owner=owner, unique_key=key)


#: Seconds to wait for the lease before the job is put back, and between attempts.
PATIENCE: Final = 1.0
_PAUSE: Final = 0.05


@contextmanager
def wait_for_lease(name: str) -> Iterator[UUID]:
    """Hold the lease `name`, and yield its token. Waits up to a second for it.

    Raises:
        LeaseBusy: If it is still held after that.
    """
    token = _patiently(name)
    try:
        yield token
    finally:
        with suppress(Error):  # an error in the block matters more than a lease that expires anyway
            release_lease(token)


def _patiently(name: str) -> UUID:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return acquire_lease(name, LEASE_SECONDS)
        except LeaseBusy:
            if time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
