"""Record the outcome of a claimed job: done, failed, queued again.

Each function does nothing if the claim is no longer valid. Otherwise the leases taken under the claim and
the job's ticket are deleted, whatever the outcome.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction

from memsite.jobs import broker, clock
from memsite.jobs.conf import BACKOFF, MAX_ATTEMPTS
from memsite.jobs.models import Job, Lease, Status


def finish_job(job_id: uuid.UUID, claim: uuid.UUID, result: Any) -> None:  # noqa: ANN401 - any JSON value
    """Record that the task returned `result`."""
    with _claimed(job_id, claim) as job:
        if job is not None:
            _end(job, Status.DONE, error="", result=result)


def abandon_job(job_id: uuid.UUID, claim: uuid.UUID, error: str) -> None:
    """Record that the task was refused for good: the job failed and is not retried."""
    with _claimed(job_id, claim) as job:
        if job is not None:
            _end(job, Status.FAILED, error=error)


def retry_job(job_id: uuid.UUID, claim: uuid.UUID, error: str) -> None:
    """Record a failed attempt: queue the job again after a growing pause, or mark it dead.

    It is dead after its last attempt.
    """
    with _claimed(job_id, claim) as job:
        if job is None:
            return
        if job.attempts >= MAX_ATTEMPTS:
            _end(job, Status.DEAD, error=error)
        else:
            _queue_again(job, error, delay=BACKOFF[job.attempts - 1])


def record_interruption(job_id: uuid.UUID, claim: uuid.UUID, error: str) -> None:
    """Record that the worker died: queue the job again at once; after the last attempt it is dead.

    The attempt counts, because the job may be what kills workers.
    """
    with _claimed(job_id, claim) as job:
        if job is None:
            return
        if job.attempts >= MAX_ATTEMPTS:
            _end(job, Status.DEAD, error=error)
        else:
            _queue_again(job, error, delay=0.0)


def requeue_job(job_id: uuid.UUID, claim: uuid.UUID, error: str, *, delay: float = 0.0) -> None:
    """Queue the job again without counting the attempt, which was cut short through no fault of the job."""
    with _claimed(job_id, claim) as job:
        if job is not None:
            job.attempts -= 1
            _queue_again(job, error, delay=delay)


@contextmanager
def _claimed(job_id: uuid.UUID, claim: uuid.UUID) -> Iterator[Job | None]:
    """Yield the job, locked, without its ticket and leases; None if the claim is no longer valid."""
    with transaction.atomic():
        running = Job.objects.filter(pk=job_id, claim=claim, status=Status.RUNNING)
        job = running.select_for_update(no_key=True).first()
        if job is not None:
            broker.withdraw_ticket(job)
            Lease.objects.filter(claim=claim).delete()
            job.claim = job.worker = job.process = job.process_started = job.deadline = job.ticket = None
        yield job


def _end(job: Job, status: Status, *, error: str, result: Any = None) -> None:  # noqa: ANN401 - any JSON value
    job.status, job.error, job.result, job.finished_at = status, error, result, clock.now()
    job.save()


def _queue_again(job: Job, error: str, *, delay: float) -> None:
    job.status, job.error = Status.QUEUED, error
    job.run_after = clock.now() + timedelta(seconds=delay)
    try:
        with transaction.atomic():
            broker.issue_ticket(job)
            job.save()
    except IntegrityError:  # a job with the same key is queued already and will do the work
        job.ticket = None
        _end(job, Status.SKIPPED, error=f"{error}; a later job does its work"[:500])
