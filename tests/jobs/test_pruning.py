"""Forgetting jobs that are long over."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memsite.jobs import acquire_lease, enqueue
from memsite.jobs.models import Job, Lease, Status
from memsite.jobs.pruning import prune

pytestmark = pytest.mark.django_db


def job_of(status: Status, *, days: int) -> Job:
    job = enqueue("tests.jobs.sample_tasks.nothing")
    Job.objects.filter(pk=job.pk).update(status=status, finished_at=timezone.now() - timedelta(days=days))
    return job


@pytest.mark.parametrize(
    ("status", "days", "kept"),
    [
        (Status.DONE, 1, True),
        (Status.DONE, 3, False),
        (Status.FAILED, 29, True),
        (Status.FAILED, 31, False),
        (Status.DEAD, 29, True),
        (Status.DEAD, 31, False),
    ],
)
def test_ended_job_is_kept_for_its_time(status: Status, days: int, kept: bool) -> None:  # noqa: FBT001 - a table's column
    job = job_of(status, days=days)
    prune()
    assert Job.objects.filter(pk=job.pk).exists() is kept


def test_job_that_has_not_ended_is_kept_for_ever() -> None:
    job = enqueue("tests.jobs.sample_tasks.nothing")
    Job.objects.update(created_at=timezone.now() - timedelta(days=400))
    prune()
    assert Job.objects.get() == job


def test_lease_long_out_of_use_is_removed() -> None:
    acquire_lease("old", -100_000)
    acquire_lease("new", 60)
    assert prune()["leases"] == 1
    assert [lease.name for lease in Lease.objects.all()] == ["new"]
