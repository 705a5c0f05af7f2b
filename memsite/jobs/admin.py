"""Admin pages on which staff read jobs and why they failed, see what runs and waits, and run jobs again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib import admin, messages
from django.db.models import Count, Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_q.models import Failure, OrmQ, Success
from django_q.models import Schedule as ScheduleRow

from memsite.jobs import clock
from memsite.jobs.models import ENDED, Heartbeat, Job, Lease, Status
from memsite.jobs.queue import run_job_again
from memsite.jobs.schedules import fire

# django-q2's own pages would let staff schedule any function by its name.
for model in (Failure, OrmQ, ScheduleRow, Success):
    if admin.site.is_registered(model):
        admin.site.unregister(model)

STATUS_LABELS: Final[Mapping[str, Promise]] = {
    Status.QUEUED: _("Waiting"),
    Status.RUNNING: _("Running"),
    Status.DONE: _("Done"),
    Status.FAILED: _("Refused"),
    Status.DEAD: _("Given up"),
    Status.SKIPPED: _("Skipped"),
}
#: The statuses of jobs that need somebody to look.
_WRONG: Final = (Status.FAILED, Status.DEAD)
#: The filter of the list: value → label and statuses.
_STATES: Final[Mapping[str, tuple[Promise, tuple[Status, ...]]]] = {
    "failed": (_("Failed"), _WRONG),
    "waiting": (_("Waiting"), (Status.QUEUED,)),
    "running": (_("Running"), (Status.RUNNING,)),
    "done": (_("Done"), (Status.DONE,)),
    "skipped": (_("Skipped"), (Status.SKIPPED,)),
}
#: How many running jobs and leases the list names.
_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class QueueState:
    """The queue at this moment.

    Attributes:
        waiting: How many jobs are due and have not started.
        waiting_since: Since when the oldest of them is due.
        later: How many jobs wait for their time.
        failed: How many failed for good in the last day.
        running: Running jobs, the oldest first.
        leases: Leases that are held.
        workers: When each worker was last able to work.
    """

    waiting: int
    waiting_since: datetime | None
    later: int
    failed: int
    running: list[Job]
    leases: list[Lease]
    workers: list[Heartbeat]


def read_queue() -> QueueState:
    """Return the state of the queue. Makes six queries, each by an index."""
    now = clock.now()
    queued = Job.objects.filter(status=Status.QUEUED)
    due = queued.filter(run_after__lte=now).aggregate(count=Count("id"), since=Min("run_after"))
    failed = Job.objects.filter(finished_at__gt=now - timedelta(days=1), status__in=_WRONG)
    return QueueState(
        waiting=due["count"],
        waiting_since=due["since"],
        later=queued.filter(run_after__gt=now).count(),
        failed=failed.count(),
        running=list(Job.objects.filter(status=Status.RUNNING).order_by("started_at")[:_SHOWN]),
        leases=list(Lease.objects.filter(expires_at__gt=now).order_by("expires_at")[:_SHOWN]),
        workers=list(Heartbeat.objects.order_by("-at")[:_SHOWN]),
    )


def count_ended_jobs(*, days: int) -> dict[str, int]:
    """Return how many jobs ended in the last days, by status."""
    ended = Job.objects.filter(finished_at__gt=clock.now() - timedelta(days=days))
    return dict(ended.values_list("status").annotate(count=Count("id")).order_by("status"))


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, Promise]]:  # type: ignore[override]  # noqa: ARG002 - Django's signature; labels are lazy
        return [(value, label) for value, (label, _statuses) in _STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        chosen = _STATES.get(self.value() or "")
        return queryset.filter(status__in=chosen[1]) if chosen else queryset


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Read-only admin of rows that only the queue writes."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:  # noqa: ANN401 - any row
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:  # noqa: ANN401 - any row
        return False


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Admin of jobs, which hold ids and outcomes but never a person's text.

    `memsite.accounts.admin` adds the audit record.
    """

    list_display = ("task_name", "status_name", "why", "attempts", "owner_id", "created_at", "finished_at")
    list_filter = (StateFilter, "task", ("created_at", admin.DateFieldListFilter))
    search_fields = ("id", "owner_id", "unique_key")
    search_help_text = _("A job's or an owner's id, or a key")
    ordering = ("-created_at",)
    sortable_by = ()
    actions = ("queue_again",)
    change_list_template = "admin/jobs/list.html"
    change_form_template = "admin/jobs/job.html"
    fieldsets = (
        (None, {"fields": ("task_name", "status_name", "why", "attempts", "owner_id")}),
        (_("Its times"), {"fields": ("created_at", "run_after", "started_at", "finished_at", "deadline")}),
        (_("What it was given"), {"fields": ("argument_list", "key", "timeout", "outcome")}),
        (_("Who runs it"), {"fields": ("worker", "process", "claim")}),
    )

    @admin.display(description=_("task"))
    def task_name(self, job: Job) -> SafeString:
        """Return the dotted path of the task; it may break after each dot."""
        parts = job.task.split(".")
        return format_html('<code class="task">{}</code>', ".\u200b".join(parts))

    @admin.display(description=_("state"))
    def status_name(self, job: Job) -> SafeString:
        """Return the label of the status."""
        label = STATUS_LABELS.get(job.status, job.status)
        return format_html('<span class="state is-{}">{}</span>', job.status, label)

    @admin.display(description=_("reason"))
    def why(self, job: Job) -> SafeString:
        """Return the error of the last attempt, which never quotes a person."""
        return format_html('<code class="clamped">{}</code>', job.error)

    @admin.display(description=_("arguments"))
    def argument_list(self, job: Job) -> SafeString:
        """Return the ids that the task is given."""
        return format_html("<code>{}</code>", json.dumps(job.args))

    @admin.display(description=_("key"))
    def key(self, job: Job) -> SafeString:
        """Return the key of which at most one queued job has the same."""
        return format_html("<code>{}</code>", job.unique_key or "")

    @admin.display(description=_("result"))
    def outcome(self, job: Job) -> SafeString:
        """Return what the task returned."""
        return format_html("<code>{}</code>", json.dumps(job.result) if job.result is not None else "")

    def has_run_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may run jobs again: staff with the change permission."""
        return request.user.has_perm("jobs.change_job")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the state of the queue above the list."""
        return super().changelist_view(request, {"queue": read_queue(), **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Add the button that runs the job again, if it has ended."""
        job: Job = context["original"]
        context["may_run"] = job.has_ended and self.has_run_permission(request)
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.action(description=_("Run again"), permissions=["run"])
    def queue_again(self, request: HttpRequest, jobs: QuerySet[Job]) -> None:
        """Queue the selected jobs once more; skip those that have not ended."""
        ended = list(jobs.filter(status__in=ENDED))
        for job in ended:
            self.log_change(request, job, f"run again as {run_job_again(job).pk}")
        text = ngettext("%(count)d job was queued.", "%(count)d jobs were queued.", len(ended))
        self.message_user(request, text % {"count": len(ended)}, messages.SUCCESS)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    """Read-only admin of the workers."""

    list_display = ("worker", "place", "process", "at")


@admin.register(ScheduleRow)
class ScheduleAdmin(ReadOnlyAdmin):
    """Read-only admin of the schedules, which are declared in code; one can be run now."""

    list_display = ("name", "when", "next_run")
    list_display_links = None
    ordering = ("name",)
    sortable_by = ()
    actions = ("run_now",)

    @admin.display(description=_("when"))
    def when(self, row: ScheduleRow) -> str:
        """Return the cron expression (UTC), or the pause between two runs."""
        if row.cron:
            return str(row.cron)
        text = ngettext("every %(count)d minute", "every %(count)d minutes", row.minutes)
        return text % {"count": row.minutes}

    def has_run_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may run schedules: staff who may run jobs again."""
        return request.user.has_perm("jobs.change_job")

    @admin.action(description=_("Run now"), permissions=["run"])
    def run_now(self, request: HttpRequest, rows: QuerySet[ScheduleRow]) -> None:
        """Queue the tasks of the selected schedules; one that waits already is not queued twice."""
        chosen = list(rows)
        for row in chosen:
            fire(row.name)
            self.log_change(request, row, "run now")
        text = ngettext("%(count)d job was queued.", "%(count)d jobs were queued.", len(chosen))
        self.message_user(request, text % {"count": len(chosen)}, messages.SUCCESS)
