"""Request a summary and wait for it, whichever job writes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from memsite.jobs import find_job
from memsite.jobs.models import Job, Status
from memsite.values import OutcomeStatus
from threads.models import Thread
from threads.storage import queue_summary
from threads.summarization.summarising import SummaryResult, get_summary_state, summarise_branch
from threads.summarization.text import find_place

#: Number of jobs that may follow one another: one that runs out of time leaves the rest to the next.
_JOBS: Final = 8


@dataclass(slots=True)
class SummaryWatch:
    """Follows a requested summary of the then current branch from job to job."""

    thread: Thread
    job: Job
    force: bool
    jobs: int = 1

    def has_settled(self) -> bool:
        """Return whether the work has ended. Queue another job if the last one left messages over."""
        self.job = find_job(self.job.pk, owner=self.thread.owner_id, follow=True)
        if not self.job.has_ended:
            return False
        is_left = isinstance(self.job.result, dict) and self.job.result.get("is_left")
        if self.job.status != Status.DONE or not is_left or self.jobs >= _JOBS:
            return True
        self.job = _queued(self.thread, force=self.force)
        self.jobs += 1
        return False

    def outcome(self) -> SummaryResult:
        """Return the state of the branch; its status is `failed`, with the job's error, if the job failed."""
        place = find_place(self.thread.pk, self.thread.current_branch_id, owner=self.thread.owner_id)
        present = get_summary_state(place)
        if self.job.status == Status.DONE:
            return present
        return replace(present, status=OutcomeStatus.FAILED, error=self.job.error or present.error)


def request_summary(thread: Thread, *, force: bool) -> SummaryWatch | SummaryResult:
    """Queue a summary of the current branch. For a temporary thread, write it immediately."""
    if thread.is_temporary:
        return summarise_branch(thread.pk, owner=thread.owner_id, force=force)
    return SummaryWatch(thread, _queued(thread, force=force), force)


def _queued(thread: Thread, *, force: bool) -> Job:
    if thread.current_branch_id is None:
        raise RuntimeError("a thread has a current branch from its beginning")
    return queue_summary(thread.pk, thread.current_branch_id, owner=thread.owner_id, force=force)
