"""Find jobs that dead workers left unfinished, and queue them again."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django_q.models import OrmQ

from memsite.jobs import broker, clock, heartbeat, outcomes, processes
from memsite.jobs.models import Job, Status

log = structlog.get_logger(__name__)
_BATCH: Final = 500  # tickets rewritten at once
DIED: Final = "its worker died"


def recover_own(worker: uuid.UUID) -> int:
    """Queue again the jobs of this worker whose process is gone. Return how many."""
    return sum(
        _interrupt(job)
        for job in _running().filter(worker=worker)
        if job.process is None or not processes.is_alive(job.process, job.process_started or 0)
    )


def recover_lost(worker: uuid.UUID) -> int:
    """Queue again the jobs of other workers that died, and jobs past their deadline. Return how many.

    Args:
        worker: The worker that calls; its own jobs are judged only by whether their processes live.
    """
    deserted = Q(worker__isnull=False) & ~Q(worker__in=heartbeat.list_living_workers() | {worker})
    return sum(_interrupt(job) for job in _running().filter(deserted | Q(deadline__lt=clock.now())))


def put_back_own(worker: uuid.UUID) -> int:
    """Queue again the jobs that this worker had to drop; the attempt does not count. Return how many."""
    jobs = list(_running().filter(worker=worker))
    for job in jobs:
        outcomes.requeue_job(job.pk, _claim(job), "its worker was stopped")
    return len(jobs)


def mend_tickets(*, fetched_before: datetime) -> int:
    """Make sure that every due job has a ticket that will be handed out. Return how many had none.

    A ticket is lost when the process that fetched it dies before the work starts. A ticket handed out twice
    does no harm: the second process finds the job claimed.
    """
    due = Job.objects.filter(status=Status.QUEUED, run_after__lte=clock.now())
    without = due.filter(~Exists(OrmQ.objects.filter(pk=OuterRef("ticket"))))
    lost = broker.release_fetched(due.values("ticket"), before=fetched_before)
    return lost + sum(_issue_again(pk) for pk in without.values_list("pk", flat=True)[:_BATCH])


def get_time_before(seconds: float) -> datetime:
    """Return the moment `seconds` before now."""
    return clock.now() - timedelta(seconds=seconds)


def _running() -> QuerySet[Job, Job]:
    return Job.objects.filter(status=Status.RUNNING, claim__isnull=False)


def _claim(job: Job) -> Any:  # noqa: ANN401 - never None in a running job
    return job.claim


def _interrupt(job: Job) -> int:
    log.warning("job lost its worker", job=str(job.pk), task=job.task, attempt=job.attempts)
    outcomes.record_interruption(job.pk, _claim(job), DIED)
    return 1


def _issue_again(job_id: uuid.UUID) -> int:
    with transaction.atomic():
        queued = Job.objects.filter(pk=job_id, status=Status.QUEUED)
        job = queued.select_for_update(no_key=True, skip_locked=True).first()
        if job is None or broker.find_existing([job.ticket]).exists():
            return 0
        broker.issue_ticket(job)
        job.save(update_fields=["ticket", "ticketed_at"])
        return 1
