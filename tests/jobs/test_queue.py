"""Putting work into the queue and asking what became of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from django_q.conf import Conf
from django_q.models import OrmQ

from memsite.errors import NotFound
from memsite.jobs import delete_jobs_of, enqueue, find_job, run_due_jobs
from memsite.jobs.broker import Tickets
from memsite.jobs.models import Job, Status

pytestmark = pytest.mark.django_db
ECHO = "tests.jobs.sample_tasks.echo"


def test_job_and_ticket_go_with_the_callers_rollback() -> None:
    with transaction.atomic():
        enqueue(ECHO, 1, unique_key="k")
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    assert not OrmQ.objects.exists()


def test_job_and_ticket_stay_with_the_callers_commit() -> None:
    with transaction.atomic():
        job = enqueue(ECHO, 1)
    assert Job.objects.get(pk=job.pk).status == Status.QUEUED
    assert OrmQ.objects.filter(pk=job.ticket).exists()


def test_ticket_carries_nothing_but_the_jobs_id() -> None:
    job = enqueue(ECHO, 12345)
    assert OrmQ.objects.get(pk=job.ticket).task["args"] == (str(job.pk),)


def test_id_becomes_a_string() -> None:
    thread = uuid.uuid4()
    job = enqueue(ECHO, thread)
    job.refresh_from_db()
    assert job.args == [str(thread)]


@pytest.mark.parametrize("arg", ["I live in Paris", "x" * 201, "a\nb", {"a": 1}, ["id"], b"x"])
def test_argument_that_is_no_short_scalar_is_refused(arg: object) -> None:
    with pytest.raises(ValueError, match="a job takes ids"):
        enqueue(ECHO, arg)  # type: ignore[arg-type] # that is the point


def test_same_key_is_queued_once() -> None:
    first = enqueue(ECHO, 1, unique_key="learn:1")
    second = enqueue(ECHO, 1, unique_key="learn:1")
    assert second.pk == first.pk
    assert OrmQ.objects.count() == 1


def test_different_keys_are_queued_each() -> None:
    assert enqueue(ECHO, 1, unique_key="learn:1").pk != enqueue(ECHO, 1, unique_key="learn:2").pk


def test_running_job_does_not_hold_its_key(running: Callable[..., Job]) -> None:
    first = running(unique_key="learn:1")
    assert enqueue(ECHO, 1, unique_key="learn:1").pk != first.pk


def test_later_wish_for_an_earlier_start_brings_the_job_forward() -> None:
    late = enqueue(ECHO, 1, unique_key="k", delay=600)
    now = enqueue(ECHO, 1, unique_key="k")
    assert now.pk == late.pk
    assert now.run_after < late.run_after
    assert [row.pk for row in OrmQ.objects.all()] == [now.ticket]


def test_back_off_is_not_cut_short_by_another_wish() -> None:
    job = enqueue("tests.jobs.sample_tasks.choke", unique_key="k")
    run_due_jobs()
    job.refresh_from_db()
    assert enqueue("tests.jobs.sample_tasks.choke", unique_key="k").run_after == job.run_after


def test_delayed_job_is_not_due() -> None:
    enqueue(ECHO, 1, delay=60)
    assert run_due_jobs() == []


def test_job_of_somebody_else_is_not_found(owner: uuid.UUID) -> None:
    job = enqueue(ECHO, 1, owner=owner)
    assert find_job(job.pk, owner=owner) == job
    with pytest.raises(NotFound):
        find_job(job.pk, owner=uuid.uuid4())


def test_deleting_an_owner_leaves_the_jobs_of_others(owner: uuid.UUID) -> None:
    enqueue(ECHO, 1, owner=owner)
    other = enqueue(ECHO, 1, owner=uuid.uuid4())
    assert delete_jobs_of(owner) == 1
    assert [job.pk for job in Job.objects.all()] == [other.pk]
    assert [row.pk for row in OrmQ.objects.all()] == [other.ticket]


def test_job_queued_while_the_clock_was_ahead_is_due_at_once() -> None:
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        job = enqueue(ECHO, 1)
    assert [ran.pk for ran in run_due_jobs()] == [job.pk]


def test_ticket_is_handed_out_though_the_clock_was_set_back() -> None:
    enqueue(ECHO, 1)
    with time_machine.travel(timezone.now() - timedelta(days=3)):
        assert Tickets(list_key=Conf.CLUSTER_NAME).dequeue()
