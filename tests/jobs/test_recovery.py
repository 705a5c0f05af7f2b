"""What dead workers left is queued again."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from memsite.jobs import acquire_lease, enqueue, find_job, heartbeat, outcomes, processes
from memsite.jobs.conf import MAX_ATTEMPTS
from memsite.jobs.models import Heartbeat, Job, Lease, Status
from memsite.jobs.worker.recovery import (
    get_time_before,
    mend_tickets,
    put_back_own,
    recover_lost,
    recover_own,
)

pytestmark = pytest.mark.django_db
NOTHING = "tests.jobs.sample_tasks.nothing"
Running = Callable[..., Job]


@pytest.fixture
def me() -> uuid.UUID:
    worker = uuid.uuid4()
    heartbeat.record_heartbeat(worker)
    return worker


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def status(job: Job) -> str:
    job.refresh_from_db()
    return job.status


def test_job_whose_process_is_gone_is_queued_again(running: Running, me: uuid.UUID, gone: int) -> None:
    job = running(worker=me, process=gone)
    assert recover_own(me) == 1
    assert status(job) == Status.QUEUED
    assert job.attempts == 1
    assert OrmQ.objects.filter(pk=job.ticket).exists()


def test_job_whose_process_number_is_now_anothers_is_queued_again(running: Running, me: uuid.UUID) -> None:
    job = running(worker=me, process=os.getpid(), process_started=1)
    recover_own(me)
    assert status(job) == Status.QUEUED


def test_job_whose_process_lives_is_left_alone(running: Running, me: uuid.UUID) -> None:
    job = running(worker=me, process=os.getpid(), process_started=processes.get_start_time(os.getpid()))
    assert recover_own(me) + recover_lost(me) == 0
    assert status(job) == Status.RUNNING


def test_job_of_a_worker_nobody_heard_of_is_queued_again(running: Running, me: uuid.UUID) -> None:
    job = running(worker=uuid.uuid4())
    assert recover_lost(me) == 1
    assert status(job) == Status.QUEUED


def test_job_of_a_worker_that_fell_silent_is_queued_again(running: Running, me: uuid.UUID) -> None:
    other = uuid.uuid4()
    heartbeat.record_heartbeat(other)
    Heartbeat.objects.filter(worker=other).update(at=timezone.now() - timedelta(minutes=1))
    job = running(worker=other)
    recover_lost(me)
    assert status(job) == Status.QUEUED


def test_job_of_another_living_worker_is_left_alone(running: Running, me: uuid.UUID) -> None:
    other = uuid.uuid4()
    heartbeat.record_heartbeat(other)
    job = running(worker=other)
    assert recover_lost(me) == 0
    assert status(job) == Status.RUNNING


def test_worker_of_this_place_whose_process_is_gone_need_not_fall_silent(
    running: Running, me: uuid.UUID, gone: int
) -> None:
    other = uuid.uuid4()
    heartbeat.record_heartbeat(other)
    Heartbeat.objects.filter(worker=other).update(process=gone)
    job = running(worker=other)
    recover_lost(me)
    assert status(job) == Status.QUEUED


def test_job_past_its_deadline_is_queued_again(running: Running, me: uuid.UUID) -> None:
    job = running(deadline=timezone.now() - timedelta(seconds=1))
    recover_lost(me)
    assert status(job) == Status.QUEUED


def test_job_that_killed_its_worker_too_often_is_dead(running: Running, me: uuid.UUID, gone: int) -> None:
    job = running(worker=me, process=gone, attempts=MAX_ATTEMPTS)
    recover_own(me)
    assert status(job) == Status.DEAD


def test_job_the_worker_was_told_to_drop_loses_no_attempt(running: Running, me: uuid.UUID) -> None:
    job = running(worker=me, process=os.getpid(), attempts=MAX_ATTEMPTS)
    assert put_back_own(me) == 1
    assert status(job) == Status.QUEUED
    assert job.attempts == MAX_ATTEMPTS - 1


def test_lease_of_a_lost_job_is_free_at_once(running: Running, me: uuid.UUID, gone: int) -> None:
    job = running(worker=me, process=gone)
    token = processes.current_claim.set(job.claim)
    acquire_lease("learn:1", 300)
    processes.current_claim.reset(token)
    recover_own(me)
    assert not Lease.objects.exists()


def test_late_outcome_of_a_lost_job_does_not_count(running: Running, me: uuid.UUID, gone: int) -> None:
    job = running(worker=me, process=gone)
    old_claim = job.claim
    assert old_claim
    recover_own(me)
    outcomes.finish_job(job.pk, old_claim, "late")
    assert status(job) == Status.QUEUED


def test_lost_job_whose_key_is_queued_again_leaves_the_work_to_it(
    running: Running, me: uuid.UUID, gone: int
) -> None:
    job = running(unique_key="learn:1", worker=me, process=gone)
    later = enqueue(NOTHING, unique_key="learn:1")
    recover_own(me)
    assert status(job) == Status.SKIPPED
    assert "a later job does its work" in job.error
    assert status(later) == Status.QUEUED
    assert find_job(job.pk, owner=None) == job
    assert find_job(job.pk, owner=None, follow=True) == later


def test_due_job_without_a_ticket_gets_one() -> None:
    job = enqueue(NOTHING)
    OrmQ.objects.all().delete()
    assert mend_tickets(fetched_before=get_time_before(30)) == 1
    job.refresh_from_db()
    assert OrmQ.objects.get().pk == job.ticket


def test_ticket_fetched_and_never_used_is_handed_out_anew() -> None:
    job = enqueue(NOTHING)
    OrmQ.objects.update(lock=timezone.now() + timedelta(seconds=30))
    assert mend_tickets(fetched_before=get_time_before(30)) == 1
    assert OrmQ.objects.get(pk=job.ticket).lock <= timezone.now()


def test_ticket_fetched_just_now_is_left_alone() -> None:
    enqueue(NOTHING)
    OrmQ.objects.update(lock=timezone.now() + timedelta(seconds=190))
    assert mend_tickets(fetched_before=get_time_before(30)) == 0


def test_ticket_of_a_job_put_off_is_left_alone() -> None:
    enqueue(NOTHING, delay=60)
    assert mend_tickets(fetched_before=get_time_before(0)) == 0
