"""Admin pages on which staff read jobs and their errors, and run jobs again."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_q.models import Failure, OrmQ, Success
from django_q.models import Schedule as ScheduleRow

from memsite.jobs.models import ENDED, Heartbeat, Job
from memsite.jobs.queue import run_job_again

# django-q2's own pages would let staff schedule any function by its name.
for model in (Failure, OrmQ, ScheduleRow, Success):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


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

    list_display = ("task", "status", "attempts", "error", "owner_id", "created_at", "finished_at")
    list_filter = ("status", "task")
    search_fields = ("id", "owner_id", "unique_key")
    search_help_text = _("A job's or an owner's id, or a key")
    ordering = ("-created_at",)
    actions = ("queue_again",)

    def has_run_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may run jobs again: staff with the change permission."""
        return request.user.has_perm("jobs.change_job")

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
