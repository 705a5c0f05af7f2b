"""Jobs in the admin: what waits and runs, why one failed, and running it again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_q.models import Schedule

from memsite.accounts.models import AuditEntry, User
from memsite.jobs import enqueue, run_due_jobs
from memsite.jobs.admin import count_ended_jobs, read_queue
from memsite.jobs.models import Job, Status
from memsite.jobs.schedules import synchronise_schedules
from tests.admin.conftest import choose

JOBS = "/admin/jobs/job/"
SCHEDULES = "/admin/django_q/schedule/"
REFUSE = "tests.jobs.sample_tasks.refuse"


@pytest.fixture
def failed(alice: User) -> Job:
    job = enqueue(REFUSE, owner=alice.pk)
    run_due_jobs()
    job.refresh_from_db()
    assert job.status == Status.FAILED
    return job


def listed(client: Client, query: str = "") -> str:
    return client.get(f"{JOBS}{query}").content.decode().partition('id="result_list"')[2]


def test_failed_job_is_listed_with_its_reason_and_owner(failed: Job, charlie_browser: Client) -> None:
    page = listed(charlie_browser, "?state=failed")
    assert failed.error in page
    assert "alice" in page
    assert listed(charlie_browser, "?state=waiting").count("alice") == 0


def test_jobs_of_one_owner_are_filtered(failed: Job, bob: User, charlie_browser: Client) -> None:
    enqueue(REFUSE, owner=bob.pk, delay=60)
    page = listed(charlie_browser, "?owner=bob")
    assert "bob" in page
    assert "alice" not in page


def test_queue_counts_what_waits_runs_and_failed(failed: Job) -> None:
    enqueue(REFUSE)
    enqueue(REFUSE, delay=600)
    enqueue(REFUSE)
    Job.objects.filter(status=Status.QUEUED).order_by("-created_at").first()
    queue = read_queue()
    assert (queue.waiting, queue.later, queue.failed, queue.running) == (2, 1, 1, [])
    assert queue.waiting_since is not None


def test_old_failures_are_not_counted(failed: Job) -> None:
    Job.objects.filter(pk=failed.pk).update(finished_at=timezone.now() - timedelta(days=2))
    assert read_queue().failed == 0
    assert count_ended_jobs(days=7) == {"failed": 1}
    assert count_ended_jobs(days=1) == {}


def test_list_shows_the_queue_above_the_jobs(failed: Job, charlie_browser: Client) -> None:
    enqueue(REFUSE)
    page = charlie_browser.get(JOBS).content.decode()
    assert '<a href="?state=failed">1</a>' in page
    assert '<a href="?state=waiting">1</a>' in page


def test_one_job_is_run_again_from_its_page(failed: Job, charlie_browser: Client) -> None:
    page = charlie_browser.get(f"{JOBS}{failed.pk}/change/").content.decode()
    assert failed.error in page
    assert 'value="queue_again"' in page
    choose(charlie_browser, "queue_again", failed, at=JOBS)
    assert Job.objects.filter(status=Status.QUEUED, task=REFUSE, owner_id=failed.owner_id).count() == 1
    assert AuditEntry.objects.filter(owner_id=failed.owner_id, act="run again").exists()


def test_waiting_job_offers_no_second_run(charlie_browser: Client) -> None:
    job = enqueue(REFUSE, delay=60)
    assert "queue_again" not in charlie_browser.get(f"{JOBS}{job.pk}/change/").content.decode()


def test_staff_who_may_only_look_run_nothing(failed: Job, dana: Client) -> None:
    assert failed.error in listed(dana)
    assert "queue_again" not in dana.get(f"{JOBS}{failed.pk}/change/").content.decode()
    choose(dana, "queue_again", failed, at=JOBS)
    assert not Job.objects.filter(status=Status.QUEUED).exists()


def test_statements_of_the_list_do_not_depend_on_the_jobs(alice: User, charlie_browser: Client) -> None:
    counts = []
    for more in (1, 6):
        for _number in range(more):
            enqueue(REFUSE, owner=alice.pk, delay=60)
        AuditEntry.objects.all().delete()
        with CaptureQueriesContext(connection) as queries:
            charlie_browser.get(JOBS)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_schedules_are_listed_and_can_be_run_now(charlie_browser: Client) -> None:
    synchronise_schedules()
    page = charlie_browser.get(SCHEDULES).content.decode()
    assert "jobs.prune" in page
    assert "17 3 * * *" in page
    choose(charlie_browser, "run_now", Schedule.objects.get(name="jobs.prune"), at=SCHEDULES)
    assert Job.objects.get(task="memsite.jobs.pruning.prune").status == Status.QUEUED
    assert LogEntry.objects.get().change_message == "run now"


def test_schedules_are_not_written_by_hand(charlie_browser: Client) -> None:
    synchronise_schedules()
    row = Schedule.objects.get(name="jobs.prune")
    assert charlie_browser.get(f"{SCHEDULES}add/").status_code == 403
    charlie_browser.post(f"{SCHEDULES}{row.pk}/delete/", {"post": "yes"})
    assert Schedule.objects.filter(pk=row.pk).exists()
