"""Jobs whose thread or branch was deleted before they ran have nothing to do, and do not fail."""

from __future__ import annotations

from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from tests.threads.saying import Talk
from threads.branches.branching import create_branch, delete_branch
from threads.messages.removal import delete_thread
from threads.models import Thread
from threads.storage.jobs import queue_compaction, queue_refresh, queue_summary


def statuses() -> set[str]:
    return set(Job.objects.values_list("status", flat=True))


def test_jobs_of_a_deleted_thread_end_well(thread: Thread, talk: Talk) -> None:
    talk(*["I live in Berlin."] * 12)
    queue_compaction(thread.pk, owner=thread.owner_id)
    queue_refresh(thread.pk, owner=thread.owner_id)
    delete_thread(thread.pk, owner=thread.owner_id)
    run_due_jobs()
    assert statuses() == {"done"}


def test_summary_of_a_deleted_branch_ends_well(thread: Thread, talk: Talk) -> None:
    talk("one")
    aside = create_branch(thread.pk, "aside", owner=thread.owner_id)
    queue_summary(thread.pk, aside.pk, owner=thread.owner_id)
    delete_branch(thread.pk, "aside", owner=thread.owner_id)
    run_due_jobs()
    assert statuses() == {"done"}
