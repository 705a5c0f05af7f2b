"""A real worker with real processes, which get killed. Each test prints how long recovery took."""

from __future__ import annotations

import os
import signal
import time

import pytest
from django.db import connection
from django_q.models import OrmQ

from memsite.jobs import enqueue, get_heartbeat_age
from memsite.jobs.conf import MAX_ATTEMPTS, WORKERS
from memsite.jobs.models import Heartbeat, Job, Lease, Status
from memsite.jobs.processes import get_start_time
from memsite.serving.postgres import NOBODY, acting_as
from tests.jobs.sample_tasks import EFFECT
from tests.jobs.worker_process import Worker, end, until

pytestmark = [pytest.mark.kill, pytest.mark.django_db(transaction=True)]
TASKS = "tests.jobs.sample_tasks"


def has(job: Job, **wanted: object) -> bool:
    job.refresh_from_db()
    return all(getattr(job, name) == value for name, value in wanted.items())


def hanging(worker: Worker) -> Job:
    """A job that hangs, with a lease in hand, until its worker is killed."""
    job = enqueue(f"{TASKS}.first_time_forever", "a", timeout=600)
    until(lambda: has(job, status=Status.RUNNING) and Lease.objects.exists())
    return job


def done_once(job: Job) -> bool:
    """Whether the second attempt ended it, with one effect and nothing left over."""
    if not has(job, status=Status.DONE, result="second"):
        return False
    return [lease.name for lease in Lease.objects.all()] == [f"{EFFECT}a"] and not OrmQ.objects.exists()


def is_idle() -> bool:
    """Whether no task runs. A worker killed during one is replaced alone, without its cluster."""
    return not Job.objects.exclude(status=Status.DONE).exists() and not OrmQ.objects.exists()


def report(what: str, seconds: float) -> None:
    print(f"\n{what}: {seconds:.1f} s")  # noqa: T201 - shown with -s


def test_each_of_500_jobs_gets_its_own_parameter(worker: Worker) -> None:
    jobs = [enqueue(f"{TASKS}.echo", number) for number in range(500)]
    took = until(lambda: not Job.objects.exclude(status=Status.DONE).exists())
    report("500 jobs", took)
    rows = Job.objects.in_bulk([job.pk for job in jobs])
    results = [rows[job.pk].result or {} for job in jobs]
    assert [result["value"] for result in results] == list(range(500))
    assert len({result["process"] for result in results}) == WORKERS
    assert {row.attempts for row in rows.values()} == {1}


def test_job_starts_soon_after_it_is_queued(worker: Worker) -> None:
    jobs = []
    for _ in range(10):
        jobs.append(enqueue(f"{TASKS}.nothing"))
        until(lambda: has(jobs[-1], status=Status.DONE))
    waits = sorted((job.started_at - job.created_at).total_seconds() for job in jobs if job.started_at)
    report("median from queue to start", waits[5])
    assert waits[5] < 0.5


def test_busy_process_killed(worker: Worker) -> None:
    job = hanging(worker)
    end(job.process or 0)
    report("busy process killed", until(lambda: done_once(job)))
    assert job.attempts == 2


def test_idle_process_killed(worker: Worker) -> None:
    end(worker.workers()[0])
    job = enqueue(f"{TASKS}.first_time_forever", "a", timeout=600)
    report("idle process killed, job started", until(lambda: has(job, status=Status.RUNNING)))


def test_idle_process_killed_beside_a_busy_one(worker: Worker) -> None:
    job = hanging(worker)
    end(next(process for process in worker.workers() if process != job.process))
    report("idle process killed beside a busy one", until(lambda: done_once(job)))
    assert job.attempts == 1  # the interruption was no fault of its own


def test_every_process_in_turn_killed(worker: Worker) -> None:
    for place in range(WORKERS + 2):  # those that run tasks, the monitor, the pusher
        until(is_idle)
        cluster = worker.cluster()
        end(sorted(set(worker.family()) - {cluster})[place])
        until(lambda: len(worker.family()) == WORKERS + 3 and worker.cluster() != cluster)  # noqa: B023 - called before the loop goes on
        job = enqueue(f"{TASKS}.echo", place)
        report(f"process {place} killed", until(lambda: has(job, status=Status.DONE)))  # noqa: B023 - called before the loop goes on


def test_cluster_killed(worker: Worker) -> None:
    job = hanging(worker)
    family = worker.family()
    end(worker.cluster())
    until(lambda: all(get_start_time(process) is None for process in family), 5)
    report("cluster killed", until(lambda: done_once(job)))
    assert job.attempts == 2


def test_worker_killed_and_started_again(worker: Worker) -> None:
    job = hanging(worker)
    family = worker.family()
    begin = time.monotonic()
    worker.kill()
    until(lambda: all(get_start_time(process) is None for process in family), 5)
    worker.start()
    until(lambda: done_once(job))
    report("worker killed and started again, job done", time.monotonic() - begin)
    assert Heartbeat.objects.count() == 1


def test_cluster_that_hangs_is_replaced(worker: Worker) -> None:
    cluster = worker.cluster()
    os.kill(cluster, signal.SIGSTOP)
    report("hanging cluster replaced", until(lambda: get_start_time(cluster) is None))
    job = enqueue(f"{TASKS}.echo", 1)
    until(lambda: has(job, status=Status.DONE))


def test_processes_that_hang_are_replaced(worker: Worker) -> None:
    for process in worker.workers():
        os.kill(process, signal.SIGSTOP)
    job = enqueue(f"{TASKS}.echo", 1)
    report("hanging processes replaced, job done", until(lambda: has(job, status=Status.DONE)))


def test_heartbeat_stops_while_nothing_can_be_done(worker: Worker) -> None:
    os.kill(worker.cluster(), signal.SIGSTOP)
    report("silent", until(lambda: (get_heartbeat_age() or 0) > 3))


def test_job_that_kills_its_process_is_dead_after_its_attempts(worker: Worker) -> None:
    job = enqueue(f"{TASKS}.suicide")
    other = enqueue(f"{TASKS}.echo", 1)
    report("killer dead", until(lambda: has(job, status=Status.DEAD, attempts=MAX_ATTEMPTS)))
    assert has(other, status=Status.DONE)


def test_job_that_overruns_is_cut_off(worker: Worker) -> None:
    job = enqueue(f"{TASKS}.first_time_forever", "a", timeout=2)
    report("overrun and done", until(lambda: done_once(job)))
    assert job.attempts == 2


def test_sigterm_ends_a_worker_in_the_middle_of_a_job(worker: Worker) -> None:
    job = hanging(worker)
    family = worker.family()
    took = worker.stop()
    report("stopped", took)
    assert took < 10
    assert all(get_start_time(process) is None for process in family)
    assert has(job, status=Status.QUEUED, attempts=0)
    assert get_heartbeat_age() is None
    worker.start()
    until(lambda: done_once(job))


def test_sigterm_ends_an_idle_worker(worker: Worker) -> None:
    assert worker.stop() < 10
    assert not Heartbeat.objects.exists()


def test_connections_cut_by_the_database_are_made_anew(worker: Worker) -> None:
    with acting_as(NOBODY), connection.cursor() as cursor:  # the role that the worker connects as
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    job = enqueue(f"{TASKS}.echo", 1)
    report("connections cut, job done", until(lambda: has(job, status=Status.DONE)))
