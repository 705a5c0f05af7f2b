"""Run a job: claim its row, do the work, record the outcome."""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any, Final, TypeVar

import structlog
from django.core.serializers.json import DjangoJSONEncoder
from django.db import InterfaceError, OperationalError, connection
from django.db.models import F, Q
from django.utils.module_loading import import_string
from django_q.exceptions import TimeoutException

from memsite.jobs import clock, outcomes, processes
from memsite.jobs.conf import BUSY_DELAY, DEADLINE_GRACE, MAX_ATTEMPTS, RECORD_WITHIN
from memsite.jobs.leases import LeaseBusy
from memsite.jobs.models import Job, Status
from memsite.jobs.reasons import describe_error, is_final
from memsite.serving.postgres import acting_for

T = TypeVar("T")

log = structlog.get_logger(__name__)
_RECORD_PAUSE: Final = 0.5  # seconds


def run(job_id: str) -> None:
    """Run the job of a ticket, unless it is deleted, running, ended, or claimed by another process.

    A failure of the task is recorded, not raised.

    Raises:
        TimeoutException: If the task took too long. django-q2 then replaces the process.
    """
    token = uuid.uuid4()
    job = _patiently(lambda: claim_job(uuid.UUID(job_id), token))
    if job is not None:
        perform_job(job)


def run_due_jobs(*, limit: int = 1000) -> list[Job]:
    """Run the jobs that are due in this process, oldest first. For tests and commands.

    Jobs queued by these jobs run, too; postponed ones do not.

    Returns:
        The jobs as they are after the run.
    """
    ran: list[uuid.UUID] = []
    while len(ran) < limit:
        due = Job.objects.filter(status=Status.QUEUED, run_after__lte=clock.now())
        job = due.order_by("run_after", "id").first()
        if job is None:
            break
        run(str(job.pk))
        ran.append(job.pk)
    rows = Job.objects.in_bulk(ran)
    return [rows[pk] for pk in dict.fromkeys(ran)]


def claim_job(job_id: uuid.UUID, token: uuid.UUID | None = None) -> Job | None:
    """Claim a queued job and count the attempt, before any work.

    Args:
        token: Id of the attempt. A second call with the same token returns the job that the first call
            claimed, which is needed when the database's answer was lost.

    Returns:
        The claimed job; None if it is not queued or has no attempts left.
    """
    token = token or uuid.uuid4()
    job = Job.objects.filter(Q(status=Status.QUEUED) | Q(claim=token), pk=job_id).first()
    if job is None or job.claim == token:
        return job
    now = clock.now()
    queued = Job.objects.filter(pk=job_id, status=Status.QUEUED, attempts__lt=MAX_ATTEMPTS)
    claimed = queued.update(
        status=Status.RUNNING,
        attempts=F("attempts") + 1,
        started_at=now,
        deadline=now + timedelta(seconds=job.timeout + DEADLINE_GRACE),
        claim=token,
        worker=processes.worker(),
        process=os.getpid(),
        process_started=_own_start(os.getpid()),
    )
    return Job.objects.filter(claim=token).first() if claimed else None


def perform_job(job: Job) -> None:
    """Do the work of a claimed job and record the outcome."""
    token = processes.current_claim.set(job.claim)
    try:
        with acting_for(job.owner_id):
            result = _plain(import_string(job.task)(*job.args))
    except LeaseBusy as error:
        _record(job, outcomes.requeue_job, describe_error(error), delay=BUSY_DELAY)
    except SystemExit as error:  # django-q2's TimeoutException is a SystemExit
        connection.close()  # it may be in the middle of a statement
        _record(job, outcomes.retry_job, _cut_off(job, error))
        raise type(error)(f"job {job.pk} was cut off") from None
    except Exception as error:  # noqa: BLE001 - whatever a task raises is its job's outcome
        _fail(job, error)
    else:
        _record(job, outcomes.finish_job, result)
    finally:
        processes.current_claim.reset(token)


def _fail(job: Job, error: Exception) -> None:
    reason = describe_error(error)
    log.warning("job failed", job=str(job.pk), task=job.task, attempt=job.attempts, reason=reason)
    _record(job, outcomes.abandon_job if is_final(error) else outcomes.retry_job, reason)


def _cut_off(job: Job, error: SystemExit) -> str:
    if isinstance(error, TimeoutException):
        return f"TimeoutException: took over {job.timeout} s"
    return describe_error(error)


def _plain(result: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a task's result as JSON values; TypeError for anything else."""
    return json.loads(json.dumps(result, cls=DjangoJSONEncoder))


def _record(job: Job, outcome: Callable[..., None], *args: Any, **options: Any) -> None:
    """Record the outcome. A second call, after the answer to the first was lost, changes nothing."""
    _patiently(lambda: outcome(job.pk, job.claim, *args, **options))


def _patiently(action: Callable[[], T]) -> T:
    """Run a database action, and retry while the database is unavailable.

    A worker's process whose retries run out exits. Its watchdog notices, and queues its jobs again.
    """
    end = time.monotonic() + RECORD_WITHIN
    while True:
        try:
            return action()
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block:
                raise
            connection.close()
            if time.monotonic() > end:
                if processes.worker() is None:
                    raise
                sys.exit(1)
            time.sleep(_RECORD_PAUSE)


@cache
def _own_start(process: int) -> int | None:
    return processes.get_start_time(process)
