"""What staff can do about jobs."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest
from django.test import RequestFactory
from django_q.models import Failure, OrmQ, Schedule, Success

from memsite.accounts.models import User
from memsite.jobs import enqueue, run_due_jobs
from memsite.jobs.admin import JobAdmin, ScheduleAdmin
from memsite.jobs.models import Job, Status

REFUSE = "tests.jobs.sample_tasks.refuse"


@pytest.fixture
def request_of_staff(charlie: User, rf: RequestFactory) -> HttpRequest:
    request: HttpRequest = rf.post("/")
    request.user = charlie
    request.session = {}  # type: ignore[assignment] # enough for messages
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]  # noqa: SLF001 - as its middleware does
    return request


def test_ended_jobs_are_run_again_and_the_act_is_logged(request_of_staff: HttpRequest) -> None:
    ended, queued = enqueue(REFUSE), enqueue(REFUSE, delay=60)
    run_due_jobs()
    JobAdmin(Job, admin.site).queue_again(request_of_staff, Job.objects.all())
    [again] = Job.objects.exclude(pk__in=[ended.pk, queued.pk])
    assert (again.task, again.status, again.attempts) == (REFUSE, Status.QUEUED, 0)
    assert LogEntry.objects.get().object_id == str(ended.pk)


def test_nobody_writes_jobs_by_hand(request_of_staff: HttpRequest) -> None:
    page = JobAdmin(Job, admin.site)
    assert not page.has_add_permission(request_of_staff)
    assert not page.has_change_permission(request_of_staff)
    assert not page.has_delete_permission(request_of_staff)


def test_page_of_schedules_is_ours() -> None:
    admin.autodiscover()
    assert isinstance(admin.site.get_model_admin(Schedule), ScheduleAdmin)


@pytest.mark.parametrize("model", [Failure, OrmQ, Success])
def test_pages_of_django_q2_are_gone(model: type) -> None:
    admin.autodiscover()
    assert not admin.site.is_registered(model)
