"""Delete old jobs, leases and heartbeats."""

from __future__ import annotations

from datetime import datetime, timedelta

from django_q.models import Task

from memsite.jobs import clock
from memsite.jobs.conf import KEEP_DONE_DAYS, KEEP_FAILED_DAYS
from memsite.jobs.models import Heartbeat, Job, Lease, Status


def prune() -> dict[str, int]:
    """Delete old ended jobs of all owners, and leases and heartbeats that are a day out of use.

    Done jobs are kept for 2 days, all others for 30.

    Returns:
        The number of deleted rows by kind.
    """
    failed = Job.objects.filter(status__in=[Status.FAILED, Status.DEAD, Status.SKIPPED])
    gone = {
        "done": Job.objects.filter(status=Status.DONE, finished_at__lt=_days_ago(KEEP_DONE_DAYS)),
        "failed": failed.filter(finished_at__lt=_days_ago(KEEP_FAILED_DAYS)),
        "leases": Lease.objects.filter(expires_at__lt=_days_ago(1)),
        "heartbeats": Heartbeat.objects.filter(at__lt=_days_ago(1)),
        # django-q2 never deletes these
        "tickets": Task.objects.filter(stopped__lt=_days_ago(KEEP_DONE_DAYS)),
    }
    return {name: rows.delete()[0] for name, rows in gone.items()}


def _days_ago(days: int) -> datetime:
    return clock.now() - timedelta(days=days)
