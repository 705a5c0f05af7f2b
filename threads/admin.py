"""Threads in the Django admin: titles and times, no messages. Temporary threads are not shown."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from memsite.accounts.audited_admin import OwnerFilter, ReadOnly, name_model
from threads.models import Thread

name_model(
    Thread,
    _("thread"),
    _("threads"),
    owner=_("owner"),
    title=_("title"),
    last_message_at=_("last message"),
    closed_at=_("closed"),
    created_at=_("made"),
    updated_at=_("last changed"),
)


@admin.register(Thread)
class ThreadAdmin(ReadOnly):
    list_display = ("text", "owner", "last_message_at", "closed_at", "created_at")
    list_filter = (
        OwnerFilter,
        ("created_at", admin.DateFieldListFilter),
        ("closed_at", admin.EmptyFieldListFilter),
    )
    list_select_related = ("owner",)
    sortable_by = ()
    search_fields = ("title", "owner__username")
    search_help_text = _("Words of the title, or its owner's name")
    fields = ("owner", "title", "last_message_at", "closed_at", "created_at", "updated_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Thread]:
        found: QuerySet[Thread] = super().get_queryset(request)
        return found.filter(is_temporary=False)

    @admin.display(description=_("title"))
    def text(self, thread: Thread) -> SafeString:
        """Return the title; two lines of it are shown."""
        return format_html('<span class="clamped" dir="auto">{}</span>', str(thread))
