"""What becomes of a claimed job. Each step counts only while the claim stands.

Whatever happens, the leases taken under the claim are free afterwards and its ticket is gone.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from memsite.jobs import broker
from memsite.jobs.conf import BACKOFF, MAX_ATTEMPTS
from memsite.jobs.models import Job, Lease, Status


def finish(job_id: uuid.UUID, claim: uuid.UUID, result: Any) -> None:  # noqa: ANN401 - any JSON value
    """The task returned `result`."""
    with _claimed(job_id, claim) as job:
        if job is not None:
            _end(job, Status.DONE, error="", result=result)


def give_up(job_id: uuid.UUID, claim: uuid.UUID, error: str) -> None:
    """The task was refused for good: it ends as failed, and is not tried again."""
    with _claimed(job_id, claim) as job:
        if job is not None:
            _end(job, Status.FAILED, error=error)


def try_again(job_id: uuid.UUID, claim: uuid.UUID, error: str) -> None:
    """The attempt failed: queued again after a pause that grows with each, or dead after the last."""
    with _claimed(job_id, claim) as job:
        if job is None:
            return
        if job.attempts >= MAX_ATTEMPTS:
            _end(job, Status.DEAD, error=error)
        else:
            _queue_again(job, error, delay=BACKOFF[job.attempts - 1])


def interrupted(job_id: uuid.UUID, claim: uuid.UUID, error: str) -> None:
    """Its worker died: queued again at once; dead after the last attempt, for it may be what kills."""
    with _claimed(job_id, claim) as job:
        if job is None:
            return
        if job.attempts >= MAX_ATTEMPTS:
            _end(job, Status.DEAD, error=error)
        else:
            _queue_again(job, error, delay=0.0)


def put_back(job_id: uuid.UUID, claim: uuid.UUID, error: str, *, delay: float = 0.0) -> None:
    """The attempt was cut short by no fault of the job, and does not count."""
    with _claimed(job_id, claim) as job:
        if job is not None:
            job.attempts -= 1
            _queue_again(job, error, delay=delay)


@contextmanager
def _claimed(job_id: uuid.UUID, claim: uuid.UUID) -> Iterator[Job | None]:
    """The job, locked, without its ticket and leases; None if the claim stands no more."""
    with transaction.atomic():
        running = Job.objects.filter(pk=job_id, claim=claim, status=Status.RUNNING)
        job = running.select_for_update(no_key=True).first()
        if job is not None:
            broker.withdraw(job)
            Lease.objects.filter(claim=claim).delete()
            job.claim = job.worker = job.process = job.process_started = job.deadline = job.ticket = None
        yield job


def _end(job: Job, status: Status, *, error: str, result: Any = None) -> None:  # noqa: ANN401 - any JSON value
    job.status, job.error, job.result, job.finished_at = status, error, result, timezone.now()
    job.save()


def _queue_again(job: Job, error: str, *, delay: float) -> None:
    job.status, job.error = Status.QUEUED, error
    job.run_after = timezone.now() + timedelta(seconds=delay)
    try:
        with transaction.atomic():
            broker.issue(job)
            job.save()
    except IntegrityError:  # one of the same key is queued already: it will do the work
        job.ticket = None
        _end(job, Status.SKIPPED, error=f"{error}; a later job does its work"[:500])
