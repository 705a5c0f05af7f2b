"""Asking for a summary, and waiting for it: whichever job writes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from memsite.jobs import find
from memsite.jobs.models import Job, Status
from threads.models import Thread
from threads.storage import queue_summary
from threads.summarization.summarising import Summarised, standing_at, summarise
from threads.summarization.text import find_place

#: Jobs that may follow one another: one that runs out of time leaves the rest to a later one.
_JOBS: Final = 8


@dataclass(slots=True)
class Watch:
    """A summary of the branch that was current when it was asked for, followed from job to job."""

    thread: Thread
    job: Job
    force: bool
    jobs: int = 1

    def has_settled(self) -> bool:
        """Whether it has come to an end."""
        self.job = find(self.job.pk, owner=self.thread.owner_id, follow=True)
        if not self.job.has_ended:
            return False
        is_left = isinstance(self.job.result, dict) and self.job.result.get("is_left")
        if self.job.status != Status.DONE or not is_left or self.jobs >= _JOBS:
            return True
        self.job = _queued(self.thread, force=self.force)
        self.jobs += 1
        return False

    def outcome(self) -> Summarised:
        """How the branch stands; `failed` with the job's error where the job failed."""
        place = find_place(self.thread.pk, self.thread.current_branch_id, owner=self.thread.owner_id)
        stands = standing_at(place)
        if self.job.status == Status.DONE:
            return stands
        return replace(stands, status="failed", error=self.job.error or stands.error)


def request_summary(thread: Thread, *, force: bool) -> Watch | Summarised:
    """Queue a summary of the current branch; of a temporary thread it is written here and now."""
    if thread.is_temporary:
        return summarise(thread.pk, owner=thread.owner_id, force=force)
    return Watch(thread, _queued(thread, force=force), force)


def _queued(thread: Thread, *, force: bool) -> Job:
    if thread.current_branch_id is None:
        raise RuntimeError("a thread has a current branch from its beginning")
    return queue_summary(thread.pk, thread.current_branch_id, owner=thread.owner_id, force=force)
