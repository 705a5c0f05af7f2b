"""Admin pages of the audit record, of requested deletions, and of jobs, which name their owners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib import admin
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from memsite.accounts.audit import LOOK, OWN_ACTS
from memsite.accounts.audited_admin import Audited, OwnerFilter, ReadOnly
from memsite.accounts.deletion import call_off_deletion
from memsite.accounts.models import AuditEntry, DeletionRequest, User
from memsite.jobs.admin import JobAdmin
from memsite.jobs.models import ENDED, Job

_SORTS: Final[Mapping[str, tuple[Promise, Q]]] = {
    "acts": (gettext_lazy("Acts of staff"), ~Q(act__in=[LOOK, *OWN_ACTS])),
    "looks": (gettext_lazy("Looks of staff"), Q(act=LOOK)),
    "own": (gettext_lazy("Acts of the owner"), Q(act__in=OWN_ACTS)),
}


class SortFilter(admin.SimpleListFilter):
    """Filter audit entries by who did what: looks and acts of staff, acts of the owner."""

    title = gettext_lazy("sort")
    parameter_name = "sort"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, Promise]]:  # type: ignore[override]  # noqa: ARG002 - Django's signature; labels are lazy
        return [(value, label) for value, (label, _rows) in _SORTS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        chosen = _SORTS.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    """Read-only admin of the audit record."""

    list_display = ("created_at", "actor", "act_name", "subject_name", "row_count", "owner")
    list_filter = (OwnerFilter, SortFilter, ("created_at", admin.DateFieldListFilter))
    list_select_related = ("owner",)
    sortable_by = ()
    search_fields = ("actor", "owner__username")
    search_help_text = gettext_lazy("Name of who acted, or of the owner")
    fields = (
        *("created_at", "actor", "act_name", "subject_name", "owner", "subject_ids", "batch_id"),
        *("address", "detail"),
    )

    @admin.display(description=gettext_lazy("act"))
    def act_name(self, entry: AuditEntry) -> str:
        """Return the act in the language of the page."""
        return gettext(entry.act)

    @admin.display(description=gettext_lazy("rows"))
    def subject_name(self, entry: AuditEntry) -> str:
        """Return the name of the rows' model in the language of the page."""
        return gettext(entry.subject)

    @admin.display(description=gettext_lazy("how many"))
    def row_count(self, entry: AuditEntry) -> int:
        """Return the number of rows."""
        return len(entry.subject_ids)


@admin.register(DeletionRequest)
class DeletionRequestAdmin(ReadOnly):
    """Admin of requested deletions: staff look at them, and call one off for a person who asks for it."""

    list_display = ("owner", "scope", "requested_at", "due_at", "begun_at", "called_off_at", "finished_at")
    list_filter = (OwnerFilter, "scope", "requested_at", ("finished_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("owner__username",)
    actions = ("call_off",)

    @admin.action(description=gettext_lazy("Call off"), permissions=["curate"])
    def call_off(self, request: HttpRequest, queryset: QuerySet[DeletionRequest]) -> None:
        def act(owner: UUID, _ids: Sequence[UUID]) -> DeletionRequest:
            return call_off_deletion(owner=owner)

        self.each_owner(request, queryset, "call off", act)


admin.site.unregister(Job)


@admin.register(Job)
class AuditedJobAdmin(Audited, JobAdmin):
    """Admin of jobs that records looks and runs, because jobs name their owners.

    It is here because `memsite.jobs` does not know the audit record.
    """

    list_display = ("task_name", "status_name", "why", "attempts", "owner_name", "created_at", "finished_at")
    list_filter = (OwnerFilter, *JobAdmin.list_filter)  # type: ignore[assignment]  # one more

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        """Add the name of the owner, in the same statement."""
        rows: QuerySet[Job] = super().get_queryset(request)
        names = User.objects.filter(pk=OuterRef("owner_id")).values("username")
        return rows.annotate(username=Subquery(names))

    @admin.display(description=gettext_lazy("owner"))
    def owner_name(self, job: Any) -> str:  # noqa: ANN401 - a job with the name of get_queryset
        """Return the owner's user name; "" for a job of the site."""
        return job.username or ""

    @admin.action(description=gettext_lazy("Run again"), permissions=["run"])
    def queue_again(self, request: HttpRequest, jobs: QuerySet[Job]) -> None:
        with transaction.atomic():
            ended = list(jobs.filter(status__in=ENDED))
            super().queue_again(request, jobs)
            self.record(request, "run again", ended)
