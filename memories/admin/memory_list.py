"""The list of memories in the admin, one memory, and the pages of acts: preview, undo, recent acts.

The owner sees every look and every act in their audit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.admin import filters
from memories.admin.acts import ACTS, MOST_ACTED, Act, Options, Plan, list_applicable, make_plan
from memories.admin.performing import (
    BATCHES_SHOWN,
    describe_outcome,
    list_staff_batches,
    perform_act,
    undo_act,
)
from memories.admin.preview import describe_plan
from memories.curation import list_history
from memories.models import Memory, labels
from memories.values import Status
from memsite.accounts.audit import LOOK
from memsite.accounts.audited_admin import OwnerFilter, ReadOnly, get_actor_name
from memsite.values import parse_id
from memsite.web.requests import get_return_url, notify

#: Columns that the engine derives for itself and that no page shows.
_DERIVED: Final = ("fingerprint", "wording", "slot", "terms", "entity_terms")
#: Characters of a text in the list; a style sheet shows two lines of them.
_CLAMPED: Final = 240


def _list_action(act: Act) -> Callable[..., HttpResponse | None]:
    """Return the entry of the list's menu that shows the preview of an act."""

    def preview(page: MemoryAdmin, request: HttpRequest, queryset: QuerySet[Memory]) -> HttpResponse | None:
        return page.preview_selected(request, act, queryset)

    preview.__name__ = act.name.replace("-", "_")
    entry = admin.action(preview, description=cast("Any", act.label), permissions=["curate"])
    return cast("Callable[..., HttpResponse | None]", entry)


@admin.register(Memory)
class MemoryAdmin(ReadOnly):
    list_display = ("text", "owner", "kind_name", "status_name", "confidence_share", "source", "remembered")
    list_filter = (
        OwnerFilter,
        filters.StatusFilter,
        filters.KindFilter,
        filters.LayerFilter,
        filters.ConfidenceFilter,
        filters.WriterFilter,
        ("created_at", admin.DateFieldListFilter),
        "pinned",
    )
    list_select_related = ("owner",)
    sortable_by = ("confidence_share", "remembered")
    search_fields = ("content",)
    search_help_text = _("Words of the memory, or its id")
    actions = tuple(_list_action(act) for act in ACTS.values())
    change_form_template = "admin/memories/memory.html"
    fieldsets = (
        (None, {"fields": ("whole_text", "owner", "status_name", "kind_name", "layer_name", "tags")}),
        (_("What it says"), {"fields": ("subject", "predicate", "object", "single_valued", "category")}),
        (
            _("Where it comes from"),
            {"fields": ("source", "speaker", "session", "participants", "occurred_at", "created_at")},
        ),
        (
            _("How it is weighed"),
            {"fields": ("confidence_share", "importance_share", "lifespan_name", "pinned", "sensitive")},
        ),
        (_("Its use"), {"fields": ("occurrence_count", "access_count", "last_accessed_at")}),
        (
            _("Its times"),
            {
                "fields": (
                    *("valid_from", "valid_until", "ended_at", "retired_at", "forgotten_at"),
                    *("reflected_at", "updated_at"),
                )
            },
        ),
    )

    @admin.display(description=_("text"))
    def text(self, memory: Memory) -> SafeString:
        """Return the beginning of the text; two lines of it are shown."""
        words = Truncator(memory.content).chars(_CLAMPED)
        return format_html('<span class="clamped" dir="auto">{}</span>', words)

    @admin.display(description=_("text"))
    def whole_text(self, memory: Memory) -> SafeString:
        """Return the whole text."""
        return format_html('<div class="whole-text" dir="auto">{}</div>', memory.content)

    @admin.display(description=_("kind"))
    def kind_name(self, memory: Memory) -> str:
        """Return the label of the kind."""
        return labels.get_label(labels.KIND_LABELS, memory.kind)

    @admin.display(description=_("layer"))
    def layer_name(self, memory: Memory) -> str:
        """Return the label of the layer."""
        return labels.get_label(labels.LAYER_LABELS, memory.layer)

    @admin.display(description=_("status"))
    def status_name(self, memory: Memory) -> SafeString:
        """Return the label of the status, and whether the memory is pinned."""
        name = labels.get_label(labels.STAFF_STATUS_LABELS, memory.status)
        state = format_html('<span class="state is-{}">{}</span>', memory.status, name)
        return format_html('{} <span class="state">{}</span>', state, _("Pinned")) if memory.pinned else state

    @admin.display(description=_("lifespan"))
    def lifespan_name(self, memory: Memory) -> str:
        """Return the label of the lifespan."""
        return labels.get_label(labels.LIFESPAN_LABELS, memory.lifespan)

    @admin.display(description=_("source"))
    def source(self, memory: Memory) -> str:
        """Return who wrote the memory."""
        return labels.get_label(labels.STAFF_WRITER_LABELS, memory.written_by)

    @admin.display(description=_("confidence"), ordering="confidence")
    def confidence_share(self, memory: Memory) -> str:
        """Return the confidence in percent."""
        return f"{memory.confidence:.0%}"

    @admin.display(description=_("importance"))
    def importance_share(self, memory: Memory) -> str:
        """Return the importance in percent."""
        return f"{memory.importance:.0%}"

    @admin.display(description=_("remembered"), ordering="id")
    def remembered(self, memory: Memory) -> Any:  # noqa: ANN401 - Django formats the time
        """Return when it was written. Ids are in the order of these times, and have an index."""
        return memory.created_at

    def get_queryset(self, request: HttpRequest) -> QuerySet[Memory]:
        return super().get_queryset(request).defer(*_DERIVED)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Memory], search_term: str
    ) -> tuple[QuerySet[Memory], bool]:
        """Return the memory of an id, or those whose text has the words."""
        key = parse_id(search_term.strip())
        if key is not None:
            return queryset.filter(pk=key), False
        return super().get_search_results(request, queryset, search_term)

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of acts."""
        guard = self.admin_site.admin_view
        own = [
            path("acts/", guard(self.recent_acts), name="memories_memory_acts"),
            path("acts/<slug:name>/", guard(self.perform), name="memories_memory_act"),
            path("undo/<uuid:batch_id>/", guard(self.undo), name="memories_memory_undo"),
        ]
        return [*own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Add to the page of a memory the acts that fit it, and its history."""
        memory: Memory = context["original"]
        context["acts"] = list_applicable(memory) if self.has_curate_permission(request) else ()
        context["history"] = list_history(memory.pk, owner=memory.owner_id)
        context["is_disputed"] = memory.status == Status.DISPUTED
        return super().render_change_form(request, context, *args, **kwargs)

    def preview_selected(
        self, request: HttpRequest, act: Act, queryset: QuerySet[Memory]
    ) -> HttpResponse | None:
        """Show what an act will do to the selected memories."""
        ids = list(queryset.values_list("pk", flat=True)[: MOST_ACTED + 1])
        if len(ids) > MOST_ACTED:
            text = gettext("One act takes at most %d memories. Filter the list more narrowly.")
            self.message_user(request, text % MOST_ACTED, messages.ERROR)
            return None
        plan = make_plan(act, self._load(request, ids), Options())
        return self._show_preview(request, plan, next_url=request.get_full_path())

    def perform(self, request: HttpRequest, name: str) -> HttpResponse:
        """Perform an act as its preview showed it, once that is confirmed; else show the preview."""
        self._check_may_act(request)
        if name not in ACTS:
            raise Http404
        plan = self._read_plan(request, ACTS[name])
        default = reverse("admin:memories_memory_changelist")
        if request.POST.get("confirmed") != plan.confirmation:
            return self._show_preview(request, plan, next_url=get_return_url(request, default))
        outcome = perform_act(plan, staff=request.user.get_username(), actor=get_actor_name(request))
        for error in outcome.errors:
            self.message_user(request, error, messages.ERROR)
        if outcome.errors and not outcome.count:
            return self._show_preview(request, plan, next_url=get_return_url(request, default), status=422)
        undo_url = reverse("admin:memories_memory_undo", args=[outcome.batch_id]) if outcome.count else ""
        notify(request, describe_outcome(plan, outcome), undo_url=undo_url)
        return redirect(get_return_url(request, default))

    def undo(self, request: HttpRequest, batch_id: UUID) -> HttpResponse:
        """Undo an act of staff, for all of its owners or for the posted `owner`."""
        self._check_may_act(request)
        given = request.POST.get("owner", "")
        owner = parse_id(given)
        if given and owner is None:
            raise Http404
        staff, actor = request.user.get_username(), get_actor_name(request)
        outcome = undo_act(batch_id, staff=staff, actor=actor, owner=owner)
        for error in outcome.errors:
            self.message_user(request, error, messages.ERROR)
        if outcome.owners:
            notify(request, gettext("Undone."))
        return redirect(get_return_url(request, reverse("admin:memories_memory_acts")))

    def recent_acts(self, request: HttpRequest) -> HttpResponse:
        """List the recent acts of staff. It shows ids and no text, so that it is no look at memories."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        given = request.GET.get("start", "")
        start = int(given[:6]) if given.isascii() and given.isdigit() else 0
        batches, has_more = list_staff_batches(start=start)
        facts = {
            **self.admin_site.each_context(request),
            "title": gettext("Recent acts of staff"),
            "opts": self.opts,
            "batches": batches,
            "next": start + BATCHES_SHOWN if has_more else None,
            "may_undo": self.has_curate_permission(request),
        }
        return TemplateResponse(request, "admin/memories/recent_acts.html", facts)

    def _check_may_act(self, request: HttpRequest) -> None:
        if request.method != "POST" or not self.has_curate_permission(request):
            raise PermissionDenied

    def _read_plan(self, request: HttpRequest, act: Act) -> Plan:
        posted = request.POST
        found = (parse_id(text) for text in posted.get("ids", "").split(",")[:MOST_ACTED])
        ids = [one for one in found if one is not None]
        options = Options(kind=posted.get("kind", ""), content=posted.get("content", "").strip())
        return make_plan(act, self._load(request, ids), options)

    def _load(self, request: HttpRequest, ids: Sequence[UUID]) -> list[Memory]:
        """Return the memories in the order of the ids, with their owners; those erased since are left out."""
        rows = self.get_queryset(request).filter(pk__in=list(ids)).select_related("owner")
        found = rows.defer(None).defer("terms", "entity_terms").in_bulk()
        return [found[one] for one in dict.fromkeys(ids) if one in found]

    def _show_preview(
        self, request: HttpRequest, plan: Plan, *, next_url: str, status: int = 200
    ) -> HttpResponse:
        preview = describe_plan(plan)
        self.record(request, LOOK, preview.shown)
        facts = {
            **self.admin_site.each_context(request),
            "title": plan.act.question,
            "opts": self.opts,
            "plan": plan,
            "preview": preview,
            "next": next_url,
        }
        return TemplateResponse(request, "admin/memories/preview.html", facts, status=status)
