"""Disputed pairs in the admin: a list with both sides, and a page on which staff settle one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories import curation
from memories.admin.performing import SUBJECT
from memories.models import LinkKind, Memory, MemoryLink, labels
from memories.values import Status
from memsite.accounts.audit import LOOK, record
from memsite.accounts.audited_admin import OwnerFilter, ReadOnly, get_actor_name
from memsite.errors import InvalidInput, MemsiteError
from memsite.web.requests import notify

_CLAMPED: Final = 240  # characters


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories that cannot both be true, ordered by when they began."""

    older: Memory
    newer: Memory


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a dispute.

    Attributes:
        keeps_newer: Whether the newer of the two is kept; else the older.
        how: What becomes of the other one (`curation.resolve_dispute`).
    """

    keeps_newer: bool
    how: curation.How


ANSWERS: Final[Mapping[str, Answer]] = {
    "changed": Answer(keeps_newer=True, how="past"),
    "first-wrong": Answer(keeps_newer=True, how="wrong"),
    "second-wrong": Answer(keeps_newer=False, how="wrong"),
    "both": Answer(keeps_newer=True, how="both"),
}


def order_pair(link: MemoryLink) -> Pair:
    """Return the two memories of a disputed pair in the order in which they began or were written."""
    older, newer = sorted(
        (link.memory, link.other), key=lambda memory: (_begin(memory), memory.created_at, memory.pk)
    )
    return Pair(older, newer)


def settle_pair(pair: Pair, answer: str, *, actor: str) -> curation.ChangeResult:
    """Apply an answer to a disputed pair, as one batch that can be undone.

    Raises:
        InvalidInput: If there is no such answer.
        Conflict: If the pair was settled meanwhile.
    """
    chosen = ANSWERS.get(answer)
    if chosen is None:
        raise InvalidInput("This is no answer to this conflict.", {"answer": "unknown"})
    kept, other = (pair.newer, pair.older) if chosen.keeps_newer else (pair.older, pair.newer)
    return curation.resolve_dispute(
        kept.pk, [other.pk], owner=kept.owner_id, actor=actor, how=chosen.how, since=_estimate_change(pair)
    )


def _begin(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at


def _estimate_change(pair: Pair) -> datetime | None:
    """Return when it changed, for two that begin together: when the newer was stated, or else written."""
    if _begin(pair.older) < _begin(pair.newer):
        return None
    stated = pair.newer.occurred_at
    return stated if stated is not None and stated > _begin(pair.newer) else pair.newer.created_at


@admin.register(MemoryLink)
class DisputeAdmin(ReadOnly):
    """Pairs of memories that are both disputed. Who may see memories may see these."""

    list_display = ("first_side", "second_side", "owner", "reason_text", "created_at")
    list_display_links = ("first_side", "second_side")
    list_filter = (OwnerFilter,)
    list_select_related = ("owner", "memory", "other")
    sortable_by = ()
    search_fields = ("memory__content", "other__content")
    search_help_text = _("Words of one of the two")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return request.user.has_perm("memories.view_memory") or self.has_curate_permission(request)

    def has_curate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("memories.change_memory")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MemoryLink]:
        disputed = {"memory__status": Status.DISPUTED, "other__status": Status.DISPUTED}
        rows: QuerySet[MemoryLink] = super().get_queryset(request)
        return rows.filter(kind=LinkKind.DISPUTES, **disputed)

    @admin.display(description=_("first side"))
    def first_side(self, link: MemoryLink) -> SafeString:
        """Return the beginning of the older one."""
        return _show_text(order_pair(link).older)

    @admin.display(description=_("second side"))
    def second_side(self, link: MemoryLink) -> SafeString:
        """Return the beginning of the newer one."""
        return _show_text(order_pair(link).newer)

    @admin.display(description=_("why time does not decide"))
    def reason_text(self, link: MemoryLink) -> str:
        """Return why time does not decide between the two."""
        return labels.get_label(labels.DISPUTE_LABELS, link.reason)

    def record(self, request: HttpRequest, act: str, rows: Iterable[Model]) -> None:
        """Record a look at both memories of each pair."""
        links = [row for row in rows if isinstance(row, MemoryLink)]
        seen = [(link.owner_id, one) for link in links for one in (link.memory_id, link.other_id)]
        record(request.user.get_username(), act, SUBJECT, dict.fromkeys(seen))

    def get_urls(self) -> list[URLPattern]:
        """Add the address that settles a pair."""
        settle = self.admin_site.admin_view(self.settle)
        return [
            path("<uuid:link_id>/settle/", settle, name="memories_memorylink_settle"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",  # noqa: ARG002 - Django's signature
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002 - as above
    ) -> HttpResponse:
        """Show both sides of a pair, and the answers."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        link = self.get_object(request, object_id)
        if link is None:
            self.message_user(request, gettext("This has been settled already."), messages.WARNING)
            return redirect("admin:memories_memorylink_changelist")
        self.record(request, LOOK, [link])
        pair = order_pair(link)
        facts = {
            **self.admin_site.each_context(request),
            "title": gettext("Which of the two is true?"),
            "opts": self.opts,
            "link": link,
            "sides": [_describe_side(pair.older), _describe_side(pair.newer)],
            "reason": self.reason_text(link),
            "may_settle": self.has_curate_permission(request),
        }
        return TemplateResponse(request, "admin/memories/dispute.html", facts)

    def settle(self, request: HttpRequest, link_id: UUID) -> HttpResponse:
        """Apply the posted `answer`. A notice offers to undo it."""
        if request.method != "POST" or not self.has_curate_permission(request):
            raise PermissionDenied
        rows = self.get_queryset(request).select_related("memory", "other")
        link = get_object_or_404(rows, pk=link_id)
        try:
            batch_id = self._settle(request, link)
        except MemsiteError as error:
            self.message_user(request, gettext(error.message), messages.ERROR)
        else:
            undo_url = reverse("admin:memories_memory_undo", args=[batch_id])
            notify(request, gettext("Decided."), undo_url=undo_url)
        return redirect("admin:memories_memorylink_changelist")

    def _settle(self, request: HttpRequest, link: MemoryLink) -> UUID:
        """Settle a pair and record it, in one transaction."""
        answer, actor = request.POST.get("answer", ""), get_actor_name(request)
        with transaction.atomic():
            changed = settle_pair(order_pair(link), answer, actor=actor)
            seen = [(link.owner_id, memory.pk) for memory in changed.memories]
            record(request.user.get_username(), "settle", SUBJECT, seen, batch_id=changed.batch_id)
        return changed.batch_id


def _show_text(memory: Memory) -> SafeString:
    words = Truncator(memory.content).chars(_CLAMPED)
    return format_html('<span class="clamped" dir="auto">{}</span>', words)


def _describe_side(memory: Memory) -> dict[str, object]:
    return {
        "memory": memory,
        "kind": labels.get_label(labels.KIND_LABELS, memory.kind),
        "source": labels.get_label(labels.STAFF_WRITER_LABELS, memory.written_by),
        "begins": _begin(memory),
    }
