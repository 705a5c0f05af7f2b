"""Whether a worker is able to work."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from memsite.jobs import enqueue, get_heartbeat_age, heartbeat, outcomes
from memsite.jobs.conf import WORKERS
from memsite.jobs.models import Heartbeat, Job

pytestmark = pytest.mark.django_db
NOTHING = "tests.jobs.sample_tasks.nothing"


def test_no_worker_ever_has_no_age() -> None:
    assert get_heartbeat_age() is None


def test_age_is_that_of_the_latest_beat() -> None:
    old, new = uuid.uuid4(), uuid.uuid4()
    heartbeat.record_heartbeat(old)
    heartbeat.record_heartbeat(new)
    minute_ago = timezone.now() - timedelta(minutes=1)
    Heartbeat.objects.update(at=minute_ago)
    assert get_heartbeat_age() == pytest.approx(60, abs=20)
    heartbeat.record_heartbeat(new)
    assert get_heartbeat_age() == pytest.approx(0, abs=20)


def test_worker_that_signed_off_is_not_heard() -> None:
    worker = uuid.uuid4()
    heartbeat.record_heartbeat(worker)
    heartbeat.sign_off(worker)
    assert get_heartbeat_age() is None
    assert heartbeat.list_living_workers() == set()


def test_idle_worker_is_not_stalled() -> None:
    assert not heartbeat.is_stalled(uuid.uuid4())


def test_fresh_job_may_wait() -> None:
    enqueue(NOTHING)
    assert not heartbeat.is_stalled(uuid.uuid4())


def test_worker_that_lets_a_due_job_lie_is_stalled(long_ago: Callable[[Job], None]) -> None:
    long_ago(enqueue(NOTHING))
    assert heartbeat.is_stalled(uuid.uuid4())


def test_worker_with_all_places_taken_is_not_stalled(
    running: Callable[..., Job], long_ago: Callable[[Job], None]
) -> None:
    worker, then = uuid.uuid4(), timezone.now() - timedelta(minutes=1)
    for _ in range(WORKERS):
        running(worker=worker, started_at=then)
    long_ago(enqueue(NOTHING))
    assert not heartbeat.is_stalled(worker)


def test_worker_with_a_free_place_is_stalled(
    running: Callable[..., Job], long_ago: Callable[[Job], None]
) -> None:
    worker = uuid.uuid4()
    running(worker=worker, started_at=timezone.now() - timedelta(minutes=1))
    long_ago(enqueue(NOTHING))
    assert heartbeat.is_stalled(worker)


def test_worker_that_works_through_a_backlog_is_not_stalled(
    running: Callable[..., Job], long_ago: Callable[[Job], None]
) -> None:
    job = running(worker=uuid.uuid4())
    outcomes.finish_job(job.pk, job.claim, None)  # type: ignore[arg-type] # it is claimed
    long_ago(enqueue(NOTHING))
    assert not heartbeat.is_stalled(uuid.uuid4())
