"""Request reports. They are made in the background, for requests and for the schedule alike."""

from __future__ import annotations

from datetime import date
from typing import Final
from uuid import UUID

from memories.maintenance.reports.displayed_report import get_latest_report
from memories.models import Report, ReportKind, today
from memsite.accounts.preferences import get_preferences
from memsite.errors import InvalidInput, Unavailable
from memsite.jobs import enqueue, find_job
from memsite.jobs.models import Job, Status

#: Seconds that the reports of one owner may take. With 100,000 memories they take about a minute.
TIMEOUT: Final = 300
_TASK: Final = "memories.tasks.report"


def queue_reports(day: date, *, owner: UUID) -> Job:
    """Queue both reports of a day; at most one job per owner and day waits at a time."""
    name = day.isoformat()
    return enqueue(_TASK, owner, name, owner=owner, unique_key=f"report:{owner}:{name}", timeout=TIMEOUT)


def request_reports(*, owner: UUID) -> Job:
    """Queue today's reports on request.

    Raises:
        InvalidInput: If the owner's memory is off.
    """
    if not get_preferences(owner).memory_on:
        raise InvalidInput("Memory is switched off for this person.")
    return queue_reports(today(), owner=owner)


def get_made_report(job_id: UUID, kind: ReportKind, *, owner: UUID) -> Report | None:
    """Return the report if its job is done, or None if it is not done yet.

    Raises:
        NotFound: If the owner has no such job.
        Unavailable: If the job failed.
    """
    job = find_job(job_id, owner=owner, follow=True)
    if job.status in {Status.FAILED, Status.DEAD}:
        raise Unavailable("The report could not be made.", {"job": str(job.pk), "error": job.error})
    return get_latest_report(kind, owner=owner) if job.status == Status.DONE else None
