"""Background work on threads: ids in, one call, safe to run twice."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from memsite.jobs import enqueue
from threads import learning, removal
from threads.conf import SWEEP_THREADS, TEMPORARY_LIFETIME
from threads.queries import threads_to_learn
from threads.transcript import LEARN


def learn(thread_id: str, owner: str) -> dict[str, int]:
    """Learn from one thread's new messages; how many candidates met with each action."""
    return learning.learn(UUID(thread_id), owner=UUID(owner))


def sweep() -> int:
    """Queue learning for every thread with messages that wait; how many."""
    waiting = threads_to_learn(SWEEP_THREADS)
    for owner, thread_id in waiting:
        enqueue(LEARN, thread_id, owner, owner=owner, unique_key=f"learn:{thread_id}")
    return len(waiting)


def expire_temporary() -> int:
    """Close temporary threads that are a day old; how many."""
    return removal.expire_temporary(before=timezone.now() - TEMPORARY_LIFETIME, most=SWEEP_THREADS)
