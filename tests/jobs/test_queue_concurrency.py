"""The queue between transactions that run at the same time."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from memsite.jobs import enqueue
from memsite.jobs.models import Job, Status
from memsite.jobs.runner import claim_job, run
from tests.jobs.sample_tasks import leave_effect

pytestmark = pytest.mark.django_db(transaction=True)
PICK_UP = "tests.jobs.sample_tasks.pick_up"


def in_thread(action: Callable[[], object]) -> threading.Thread:
    def act() -> None:
        try:
            action()
        finally:
            connection.close()

    thread = threading.Thread(target=act)
    thread.start()
    return thread


def test_queued_job_that_is_reused_sees_the_rows_of_the_one_that_reused_it() -> None:
    job = enqueue(PICK_UP, "a", unique_key="learn")
    with transaction.atomic():
        leave_effect("a")
        assert enqueue(PICK_UP, "a", unique_key="learn").pk == job.pk
        worker = in_thread(lambda: run(str(job.pk)))
        worker.join(timeout=0.3)  # it may try, but must not have begun
        assert worker.is_alive()
    worker.join()
    job.refresh_from_db()
    assert job.result == 1


def test_two_transactions_that_queue_the_same_key_get_one_job() -> None:
    found: list[uuid.UUID] = []
    with transaction.atomic():
        found.append(enqueue(PICK_UP, "a", unique_key="learn").pk)
        other = in_thread(lambda: found.append(enqueue(PICK_UP, "a", unique_key="learn").pk))
    other.join()
    assert found[0] == found[1]
    assert Job.objects.count() == 1


def test_of_two_workers_with_the_same_ticket_one_gets_the_job() -> None:
    job = enqueue(PICK_UP, "a")
    claims: list[object] = []
    threads = [in_thread(lambda: claims.append(claim_job(job.pk))) for _ in range(2)]
    for thread in threads:
        thread.join()
    assert sorted(got is None for got in claims) == [False, True]
    assert Job.objects.get(pk=job.pk).attempts == 1


def test_attempt_is_committed_before_the_work() -> None:
    job = enqueue("tests.jobs.sample_tasks.nothing")
    claim_job(job.pk)
    seen: list[tuple[str, int]] = []
    in_thread(lambda: seen.extend(Job.objects.values_list("status", "attempts"))).join()
    assert seen == [(Status.RUNNING, 1)]
