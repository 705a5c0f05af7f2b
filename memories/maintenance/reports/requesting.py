"""Asking for a report: it is made in the background, by whoever asks and by the clock alike."""

from __future__ import annotations

from datetime import date
from typing import Final
from uuid import UUID

from memories.maintenance.reports.reading import latest
from memories.models import Report, today
from memsite.accounts.preferences import preferences_of
from memsite.errors import InvalidInput, Unavailable
from memsite.jobs import enqueue, find
from memsite.jobs.models import Job, Status

#: Seconds that the reports of one owner may take. With 100,000 memories they take about a minute.
TIMEOUT: Final = 300
_TASK: Final = "memories.tasks.report"


def queue(day: date, *, owner: UUID) -> Job:
    """Queue both reports of a day; one job an owner and day waits at a time."""
    name = day.isoformat()
    return enqueue(_TASK, owner, name, owner=owner, unique_key=f"report:{owner}:{name}", timeout=TIMEOUT)


def request(*, owner: UUID) -> Job:
    """Queue today's reports for somebody who asks. Raises InvalidInput while their memory is off."""
    if not preferences_of(owner).memory_on:
        raise InvalidInput("Memory is switched off for this person.")
    return queue(today(), owner=owner)


def made(job_id: UUID, kind: str, *, owner: UUID) -> Report | None:
    """The report if its job is done; None while it is not.

    Raises NotFound for a job that is not the owner's, Unavailable when the job failed.
    """
    job = find(job_id, owner=owner, follow=True)
    if job.status in {Status.FAILED, Status.DEAD}:
        raise Unavailable("The report could not be made.", {"job": str(job.pk), "error": job.error})
    return latest(kind, owner=owner) if job.status == Status.DONE else None
