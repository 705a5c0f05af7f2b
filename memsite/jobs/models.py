"""Tables of the queue: jobs, leases and the heartbeats of workers."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memsite.jobs.conf import TIMEOUT
from memsite.values import TextEnum, new_id


class Status(TextEnum):
    """Status of a job. The last four are final: only a person starts such a job again."""

    QUEUED = "queued"  # waits for `run_after`, for the first time or after a failed attempt
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"  # refused for good: repeating it would not help
    DEAD = "dead"  # out of attempts
    SKIPPED = "skipped"  # a later job with the same key does the work


#: The final statuses: a job in one of them does not change by itself.
ENDED = frozenset({Status.DONE, Status.FAILED, Status.DEAD, Status.SKIPPED})


class Job(models.Model):
    """One piece of work. `args` holds ids and other short scalars, never a person's text."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    task = models.CharField(max_length=200)
    args = models.JSONField(default=list)
    owner_id = models.UUIDField(null=True, blank=True)
    unique_key = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null: no key
    timeout = models.PositiveIntegerField(default=TIMEOUT)  # seconds

    status = models.CharField(max_length=8, choices=Status.choices(), default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True, default="")
    result = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    run_after = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    # Who runs the job. A claim is the token of one attempt; worker and process show whether it is still
    # alive.
    claim = models.UUIDField(null=True, blank=True)
    worker = models.UUIDField(null=True, blank=True)
    process = models.IntegerField(null=True, blank=True)
    process_started = models.BigIntegerField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    # The job's row in django-q2's queue, and when it was written.
    ticket = models.BigIntegerField(null=True, blank=True)
    ticketed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["unique_key"], condition=Q(status=Status.QUEUED), name="jobs_job_one_queued_per_key"
            ),
            models.CheckConstraint(
                condition=Q(status__in=list(Status)),
                name="jobs_job_status_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["run_after"], condition=Q(status=Status.QUEUED), name="jobs_job_queued"),
            models.Index(fields=["worker"], condition=Q(status="running"), name="jobs_job_running"),
            models.Index(fields=["finished_at"], name="jobs_job_finished"),
            models.Index(fields=["owner_id", "created_at"], name="jobs_job_owner"),
        ]

    def __str__(self) -> str:
        return self.task

    @property
    def has_ended(self) -> bool:
        """Whether the job is final: nothing more happens to it by itself."""
        return self.status in ENDED


class Lease(models.Model):
    """The right to do one thing that only one process may do at a time. Who knows `token` holds it."""

    name = models.CharField(max_length=200, primary_key=True)
    token = models.UUIDField(unique=True)
    expires_at = models.DateTimeField(db_index=True)
    # The claim of the job that took it. When that job or its worker ends, the lease is free.
    claim = models.UUIDField(null=True, blank=True, db_index=True)

    def __str__(self) -> str:
        return self.name


class Heartbeat(models.Model):
    """A worker (one `manage.py work`) and when it was last able to work."""

    worker = models.UUIDField(primary_key=True)
    place = models.CharField(max_length=100)
    process = models.IntegerField()
    process_started = models.BigIntegerField()
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return str(self.worker)
