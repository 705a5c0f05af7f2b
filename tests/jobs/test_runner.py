"""Running jobs and recording how they went."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone
from django_q.models import OrmQ

from memsite.jobs import acquire_lease, enqueue, run_due_jobs, runner
from memsite.jobs.conf import MAX_ATTEMPTS
from memsite.jobs.models import Job, Lease, Status
from memsite.jobs.processes import WORKER_VARIABLE
from memsite.jobs.queue import Scalar
from memsite.jobs.runner import run

pytestmark = pytest.mark.django_db
TASKS = "tests.jobs.sample_tasks"


def outcome(task: str, *args: Scalar) -> Job:
    """The job after its first attempt."""
    job = enqueue(f"{TASKS}.{task}", *args)
    run_due_jobs(limit=1)
    job.refresh_from_db()
    return job


def test_result_is_recorded() -> None:
    job = outcome("echo", 7)
    assert job.status == Status.DONE
    assert job.result
    assert job.result["value"] == 7
    assert job.finished_at is not None


def test_ended_job_has_no_ticket_and_no_claim() -> None:
    job = outcome("nothing")
    assert (job.ticket, job.claim, job.worker, job.deadline) == (None, None, None, None)
    assert not OrmQ.objects.exists()


def test_failed_job_is_queued_again_after_a_pause() -> None:
    job = outcome("choke")
    assert job.status == Status.QUEUED
    assert job.attempts == 1
    assert job.run_after > timezone.now()
    assert OrmQ.objects.get(pk=job.ticket).lock == job.run_after


def test_pauses_grow() -> None:
    job = enqueue(f"{TASKS}.choke")
    pauses = []
    for _ in range(MAX_ATTEMPTS - 1):
        run(str(job.pk))
        job.refresh_from_db()
        pauses.append(job.run_after - timezone.now())
    assert pauses == sorted(pauses)
    assert timedelta(minutes=1) < pauses[-1] < timedelta(minutes=3)


def test_reason_does_not_quote_the_error_of_others() -> None:
    job = outcome("choke")
    assert job.error.startswith("ValueError in tests.jobs.sample_tasks.choke")
    assert "Anna" not in job.error


def test_job_is_dead_after_its_last_attempt() -> None:
    job = enqueue(f"{TASKS}.choke")
    for _ in range(MAX_ATTEMPTS + 1):
        run(str(job.pk))
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Status.DEAD, MAX_ATTEMPTS)
    assert not OrmQ.objects.exists()


def test_job_refused_for_good_is_not_tried_again() -> None:
    job = outcome("refuse")
    assert (job.status, job.attempts) == (Status.FAILED, 1)
    assert job.error == "InvalidInput: The thread is closed."


def test_result_that_json_cannot_tell_is_a_failure() -> None:
    assert outcome("opaque").error.startswith("TypeError")


@pytest.mark.parametrize("task", ["no_such_function", "no.such.module.f"])
def test_task_that_cannot_be_found_is_a_failure(task: str) -> None:
    assert outcome(task).error.startswith(("ImportError", "ModuleNotFoundError"))


def test_job_that_finds_its_lease_taken_loses_no_attempt() -> None:
    acquire_lease("learn:1", 60)
    job = outcome("busy", "learn:1")
    assert (job.status, job.attempts) == (Status.QUEUED, 0)
    assert job.run_after > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_job_that_is_cut_off_is_queued_again_and_the_process_told() -> None:
    job = enqueue(f"{TASKS}.overrun")
    with pytest.raises(SystemExit) as caught:
        run(str(job.pk))
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Status.QUEUED, 1)
    assert caught.value.__suppress_context__  # else django-q2 writes the task's own error to the log


def test_ticket_of_an_ended_job_does_nothing() -> None:
    job = outcome("echo", 1)
    run(str(job.pk))
    job.refresh_from_db()
    assert job.attempts == 1


def test_ticket_of_a_deleted_job_does_nothing() -> None:
    job = enqueue(f"{TASKS}.nothing")
    Job.objects.all().delete()
    run(str(job.pk))
    assert not Job.objects.exists()


def test_lease_that_a_task_took_and_kept_ends_with_the_job() -> None:
    outcome("busy_forever", "learn:1")
    assert not Lease.objects.exists()


def test_jobs_queued_by_jobs_are_drained_too() -> None:
    enqueue(f"{TASKS}.more", 9)
    assert [job.args for job in run_due_jobs()] == [[9], [9]]


def test_drain_takes_the_oldest_first() -> None:
    jobs = [enqueue(f"{TASKS}.echo", number) for number in range(3)]
    assert [job.pk for job in run_due_jobs()] == [job.pk for job in jobs]


@pytest.mark.django_db(transaction=True)
def test_job_claimed_while_the_database_went_away_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens: list[uuid.UUID | None] = []
    claim = runner.claim_job

    def unheard(job_id: uuid.UUID, token: uuid.UUID | None = None) -> Job | None:
        tokens.append(token)
        job = claim(job_id, token)
        if len(tokens) == 1:
            raise OperationalError("the answer was lost")
        return job

    monkeypatch.setattr(runner, "claim_job", unheard)
    job = enqueue(f"{TASKS}.nothing")
    run(str(job.pk))
    job.refresh_from_db()
    assert (job.status, job.attempts, len(set(tokens))) == (Status.DONE, 1, 1)


@pytest.mark.django_db(transaction=True)
def test_process_of_a_worker_that_waits_for_the_database_in_vain_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(runner, "claim_job", away)
    monkeypatch.setattr(runner, "RECORD_WITHIN", 0.0)
    monkeypatch.setenv(WORKER_VARIABLE, str(uuid.uuid4()))
    with pytest.raises(SystemExit):
        run(str(uuid.uuid4()))
