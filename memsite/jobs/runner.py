"""Running a job: claim its row, do the work, record the outcome."""

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
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.exceptions import TimeoutException

from memsite.jobs import claims, outcomes, processes
from memsite.jobs.conf import BUSY_DELAY, DEADLINE_GRACE, MAX_ATTEMPTS, RECORD_WITHIN
from memsite.jobs.leases import LeaseBusy
from memsite.jobs.models import Job, Status
from memsite.jobs.reasons import describe, is_final

T = TypeVar("T")

log = structlog.get_logger(__name__)
_RECORD_PAUSE: Final = 0.5  # seconds


def run(job_id: str) -> None:
    """What a ticket asks for: run the job, unless it is gone, under way, ended, or claimed first.

    A failure of the task is recorded, not raised. Raises TimeoutException when the task took too
    long: django-q2 then replaces the process.
    """
    token = uuid.uuid4()
    job = _patiently(lambda: claim(uuid.UUID(job_id), token))
    if job is not None:
        perform(job)


def drain(*, limit: int = 1000) -> list[Job]:
    """Run the jobs that are due in this process, oldest first; returns them as they stand now.

    For tests and commands. Jobs that the jobs queue are run, too; those put off are not.
    """
    ran: list[uuid.UUID] = []
    while len(ran) < limit:
        due = Job.objects.filter(status=Status.QUEUED, run_after__lte=timezone.now())
        job = due.order_by("run_after", "id").first()
        if job is None:
            break
        run(str(job.pk))
        ran.append(job.pk)
    rows = Job.objects.in_bulk(ran)
    return [rows[pk] for pk in dict.fromkeys(ran)]


def claim(job_id: uuid.UUID, token: uuid.UUID | None = None) -> Job | None:
    """Make a queued job ours and count the attempt, before any work; None if it is not to be had.

    token: names the attempt. Asked again with the same one, it gives what it took when the answer was lost.
    """
    token = token or uuid.uuid4()
    job = Job.objects.filter(Q(status=Status.QUEUED) | Q(claim=token), pk=job_id).first()
    if job is None or job.claim == token:
        return job
    now = timezone.now()
    queued = Job.objects.filter(pk=job_id, status=Status.QUEUED, attempts__lt=MAX_ATTEMPTS)
    claimed = queued.update(
        status=Status.RUNNING,
        attempts=F("attempts") + 1,
        started_at=now,
        deadline=now + timedelta(seconds=job.timeout + DEADLINE_GRACE),
        claim=token,
        worker=claims.worker(),
        process=os.getpid(),
        process_started=_own_start(os.getpid()),
    )
    return Job.objects.filter(claim=token).first() if claimed else None


def perform(job: Job) -> None:
    """Do the work of a claimed job and record how it went."""
    token = claims.current.set(job.claim)
    try:
        result = _plain(import_string(job.task)(*job.args))
    except LeaseBusy as error:
        _record(job, outcomes.put_back, describe(error), delay=BUSY_DELAY)
    except SystemExit as error:  # django-q2's TimeoutException is one
        connection.close()  # it may be in the middle of a statement
        _record(job, outcomes.try_again, _cut_off(job, error))
        raise type(error)(f"job {job.pk} was cut off") from None
    except Exception as error:  # noqa: BLE001 - whatever a task raises is its job's outcome
        _fail(job, error)
    else:
        _record(job, outcomes.finish, result)
    finally:
        claims.current.reset(token)


def _fail(job: Job, error: Exception) -> None:
    reason = describe(error)
    log.warning("job failed", job=str(job.pk), task=job.task, attempt=job.attempts, reason=reason)
    _record(job, outcomes.give_up if is_final(error) else outcomes.try_again, reason)


def _cut_off(job: Job, error: SystemExit) -> str:
    if isinstance(error, TimeoutException):
        return f"TimeoutException: took over {job.timeout} s"
    return describe(error)


def _plain(result: Any) -> Any:  # noqa: ANN401 - any JSON value
    """What a task returned as JSON can tell it; raises TypeError for anything else."""
    return json.loads(json.dumps(result, cls=DjangoJSONEncoder))


def _record(job: Job, outcome: Callable[..., None], *args: Any, **options: Any) -> None:
    """Write the outcome down. Done twice, because the first answer was lost, it does nothing more."""
    _patiently(lambda: outcome(job.pk, job.claim, *args, **options))


def _patiently(action: Callable[[], T]) -> T:
    """Do something with the database, waiting for one that went away.

    A worker's process that waited in vain ends: its watchdog sees that, and queues anew what it may hold.
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
                if claims.worker() is None:
                    raise
                sys.exit(1)
            time.sleep(_RECORD_PAUSE)


@cache
def _own_start(process: int) -> int | None:
    return processes.started(process)
