"""Fixtures of the queue's tests."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from memsite.jobs import enqueue
from memsite.jobs.models import Job
from memsite.jobs.processes import get_start_time
from memsite.jobs.runner import claim_job
from tests.jobs.worker_process import Worker, until

TASKS = "tests.jobs.sample_tasks"


@pytest.fixture
def running() -> Callable[..., Job]:
    """Create a claimed job; fields can be given."""

    def make(*, unique_key: str | None = None, **fields: object) -> Job:
        job = claim_job(enqueue(f"{TASKS}.nothing", unique_key=unique_key).pk)
        assert job is not None
        Job.objects.filter(pk=job.pk).update(**fields)
        job.refresh_from_db()
        return job

    return make


@pytest.fixture
def long_ago() -> Callable[[Job], None]:
    """Make a queued job look a minute old."""

    def age(job: Job) -> None:
        then = timezone.now() - timedelta(minutes=1)
        Job.objects.filter(pk=job.pk).update(run_after=then, ticketed_at=then)

    return age


@pytest.fixture
def owner() -> uuid.UUID:
    return uuid.uuid4()


@pytest.fixture
def worker(transactional_db: None, tmp_path: Path) -> Iterator[Worker]:
    """Start a worker; kill all its processes afterwards, whatever happened to it."""
    one = Worker(tmp_path)
    one.start()
    yield one
    if one.process is not None and one.process.poll() is None:
        family = one.family()
        one.kill()
        until(lambda: all(get_start_time(process) is None for process in family), 10)
