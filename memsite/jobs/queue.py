"""Queue jobs in the caller's transaction, and look them up."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction

from memsite.errors import NotFound
from memsite.jobs import broker, clock
from memsite.jobs.conf import TIMEOUT
from memsite.jobs.models import Job, Status

Scalar = str | int | float | bool | None

_ID_LIKE: Final = re.compile(r"\S{0,200}")
_TRIES: Final = 5


def enqueue(
    task: str,
    *args: Scalar | uuid.UUID,
    owner: uuid.UUID | None = None,
    unique_key: str | None = None,
    delay: float = 0.0,
    timeout: int = TIMEOUT,
) -> Job:
    """Queue `task(*args)`; the job is committed or rolled back with the caller's transaction.

    Args:
        task: Dotted path of a function that is safe to run twice and returns JSON or None.
        args: Ids and other short scalars without white space (UUIDs become strings), never a person's text.
        owner: The user the job belongs to; None for a job of the site.
        unique_key: At most one *queued* job has this key; if there is one, it is returned (a running one does
            not count). It cannot start before the caller's transaction ends, so it sees the caller's rows.
        delay: Seconds before the job may start. A queued job with the same key that was not tried yet is
            moved forward.
        timeout: Seconds the task may take.

    Raises:
        ValueError: For an argument that is not a short scalar.
    """
    job = Job(
        task=task,
        args=[_plain(arg) for arg in args],
        owner_id=owner,
        unique_key=unique_key,
        timeout=timeout,
        run_after=clock.now() + timedelta(seconds=delay),
    )
    with transaction.atomic(savepoint=False):  # nothing below fails halfway and is caught by a caller
        return _insert(job) if unique_key is None else _insert_unless_queued(job)


def find_job(job_id: uuid.UUID, *, owner: uuid.UUID | None, follow: bool = False) -> Job:
    """Return the owner's job.

    Args:
        follow: If the job was skipped, return the later job that does its work.

    Raises:
        NotFound: If there is no such job, or it belongs to somebody else.
    """
    job = Job.objects.filter(pk=job_id, owner_id=owner).first()
    if job is None:
        raise NotFound("There is no such job.")
    if not follow or job.status != Status.SKIPPED:
        return job
    same = Job.objects.filter(unique_key=job.unique_key, owner_id=owner)
    return same.exclude(status=Status.SKIPPED).order_by("-created_at", "-id").first() or job


def run_job_again(job: Job) -> Job:
    """Queue the work of an ended job once more, as a new job with all its attempts."""
    return enqueue(job.task, *job.args, owner=job.owner_id, unique_key=job.unique_key, timeout=job.timeout)


def delete_jobs_of(owner: uuid.UUID) -> int:
    """Delete every job of an owner, whatever its status; return how many."""
    jobs = Job.objects.filter(owner_id=owner)
    with transaction.atomic():
        broker.find_existing(jobs.values("ticket")).delete()
        return jobs.delete()[0]


def _plain(arg: Scalar | uuid.UUID) -> Scalar:
    if isinstance(arg, uuid.UUID):
        return str(arg)
    if isinstance(arg, str) and not _ID_LIKE.fullmatch(arg):
        raise ValueError("a job takes ids: a string of up to 200 characters without white space")
    if arg is not None and not isinstance(arg, str | int | float):
        raise ValueError(f"a job takes ids and other scalars, not {type(arg).__name__}")
    return arg


def _insert(job: Job) -> Job:
    broker.issue_ticket(job)
    job.save(force_insert=True)
    return job


def _insert_unless_queued(job: Job) -> Job:
    """Insert the job unless one with its key is queued.

    A queued job stays locked until the caller's transaction ends: if it started earlier, it would not see
    the caller's rows.
    """
    for _ in range(_TRIES):
        same = Job.objects.filter(unique_key=job.unique_key, status=Status.QUEUED)
        queued = same.select_for_update(no_key=True).first()
        if queued is not None:
            return _bring_forward(queued, job)
        try:
            with transaction.atomic():
                return _insert(job)
        except IntegrityError:
            continue  # another process queued one meanwhile; it may have started by now, too
    raise RuntimeError("other processes kept queueing the same job")  # pragma: no cover


def _bring_forward(queued: Job, wanted: Job) -> Job:
    if queued.attempts or queued.run_after <= wanted.run_after:
        return queued
    broker.withdraw_ticket(queued)
    queued.run_after = wanted.run_after
    broker.issue_ticket(queued)
    queued.save(update_fields=["run_after", "ticket", "ticketed_at"])
    return queued
