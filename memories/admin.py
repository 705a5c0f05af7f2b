"""Show memories in the Django admin: view, approve, forget, restore, pin.

The owner sees every view and action in their audit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memories import curation
from memories.models import Memory, Report, SiteReport
from memsite.accounts.audited_admin import ReadOnly, get_actor_name

#: Columns that the engine derives for itself and that no page shows.
_DERIVED: Final = ("fingerprint", "wording", "slot", "terms", "entity_terms")


@admin.register(Memory)
class MemoryAdmin(ReadOnly):
    list_display = ("__str__", "owner", "layer", "kind", "status", "share", "access_count", "created_at")
    list_filter = ("layer", "kind", "status", "pinned", "sensitive", "written_by", "created_at")
    list_select_related = ("owner",)
    search_fields = ("content", "owner__username", "category")
    search_help_text = _("Words of the memory, its category, or its owner's name")
    exclude = (*_DERIVED, "index_version")
    actions = ("approve", "forget", "restore", "pin")

    @admin.display(description=_("importance"), ordering="importance")
    def share(self, memory: Memory) -> str:
        """Return the importance in percent."""
        return f"{memory.importance:.0%}"

    @admin.action(description=_("Approve those that wait"), permissions=["curate"])
    def approve(self, request: HttpRequest, queryset: QuerySet[Memory]) -> None:
        """Confirm the selected memories."""

        def act(owner: UUID, ids: Sequence[UUID]) -> object:
            return curation.confirm_memories(ids, owner=owner, actor=get_actor_name(request))

        self.each_owner(request, queryset, "approve", act)

    @admin.action(description=_("Forget"), permissions=["curate"])
    def forget(self, request: HttpRequest, queryset: QuerySet[Memory]) -> None:
        """Forget the selected memories."""

        def act(owner: UUID, ids: Sequence[UUID]) -> object:
            return curation.forget_memories(ids, owner=owner, actor=get_actor_name(request))

        self.each_owner(request, queryset, "forget", act)

    @admin.action(description=_("Restore"), permissions=["curate"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Memory]) -> None:
        """Restore the selected memories."""

        def act(owner: UUID, ids: Sequence[UUID]) -> object:
            return curation.restore_memories(ids, owner=owner, actor=get_actor_name(request))

        self.each_owner(request, queryset, "restore", act)

    @admin.action(description=_("Pin"), permissions=["curate"])
    def pin(self, request: HttpRequest, queryset: QuerySet[Memory]) -> None:
        """Pin the selected memories."""

        def act(owner: UUID, ids: Sequence[UUID]) -> list[Any]:
            actor = get_actor_name(request)
            return [curation.edit_memory(one, {"pinned": True}, owner=owner, actor=actor) for one in ids]

        self.each_owner(request, queryset, "pin", act)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Memory]:
        return super().get_queryset(request).defer(*_DERIVED)


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """Reports of owners: counts and ids, never the text of a person."""

    list_display = ("__str__", "owner", "kind", "day", "score", "created_at")
    list_filter = ("kind", "day")
    list_select_related = ("owner",)
    search_fields = ("owner__username",)
    search_help_text = _("The owner's name")


@admin.register(SiteReport)
class SiteReportAdmin(ReadOnly):
    """Reports of all owners of a day together."""

    list_display = ("day", "score", "owners", "memories", "created_at")
    ordering = ("-day",)

    @admin.display(description=_("owners"))
    def owners(self, report: SiteReport) -> int:
        """Return the number of owners in the report."""
        return int(report.body.get("owners", 0))

    @admin.display(description=_("memories"))
    def memories(self, report: SiteReport) -> int:
        """Return the number of memories in the report."""
        return int(report.body.get("memories", 0))

    def record(self, request: HttpRequest, act: str, rows: Iterable[Model]) -> None:
        """Record nothing: a site report belongs to no owner and names none."""
