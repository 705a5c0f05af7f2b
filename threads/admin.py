"""Threads in the Django admin: titles and times, no messages. Temporary threads are not shown."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memsite.accounts.audited_admin import ReadOnly
from threads.models import Thread


@admin.register(Thread)
class ThreadAdmin(ReadOnly):
    list_display = ("__str__", "owner", "last_message_at", "closed_at", "created_at")
    list_filter = ("created_at", "closed_at")
    list_select_related = ("owner",)
    search_fields = ("title", "owner__username")
    search_help_text = _("Words of the title, or its owner's name")
    fields = ("owner", "title", "last_message_at", "closed_at", "created_at", "updated_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Thread]:
        found: QuerySet[Thread] = super().get_queryset(request)
        return found.filter(is_temporary=False)
