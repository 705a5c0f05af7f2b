"""Admin pages of people's rows, which record each look and each act for the rows' owners."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.forms import Script
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, override

from memsite.accounts.audit import LOOK, record
from memsite.accounts.audited_admin.lists import BoundedChangeList, BoundedPaginator, suggest_names
from memsite.errors import MemsiteError

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = admin.ModelAdmin

#: Acts on one owner's rows, given by id.
Act = Callable[[UUID, Sequence[UUID]], object]


class Audited(Base):
    """Admin that records in the audit whose rows a list or a page shows.

    Attributes:
        owner_field: Name of the attribute that holds the id of a row's owner.
    """

    owner_field: ClassVar[str] = "owner_id"
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # they count all rows once for each choice of each filter
    paginator = BoundedPaginator

    class Media:
        js: ClassVar = [Script("js/admin-owners.js", defer=True)]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:  # noqa: ARG002 - Django's signature
        return BoundedChangeList

    def get_urls(self) -> list[URLPattern]:
        """Add the address that suggests owners' names to the filter of the list."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_owners"
        suggestions = path("owners/", self.admin_site.admin_view(self.suggest_owners), name=name)
        return [suggestions, *super().get_urls()]

    def suggest_owners(self, request: HttpRequest) -> HttpResponse:
        """Answer `q`, the beginning of a user name, with the names that begin so."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return JsonResponse({"names": suggest_names(request.GET.get("q", ""))})

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        facts = {"title": capfirst(self.opts.verbose_name_plural), **(extra_context or {})}
        response = super().changelist_view(request, facts)
        if isinstance(response, TemplateResponse) and response.context_data and "cl" in response.context_data:
            self.record(request, LOOK, response.context_data["cl"].result_list)
        return response

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        seen = context.get("original")
        if seen is not None:
            self.record(request, LOOK, [seen])
        return super().render_change_form(request, context, *args, **kwargs)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Record a look, because the page's title shows the row."""
        response = super().history_view(request, object_id, extra_context)
        if isinstance(response, TemplateResponse) and response.context_data:
            self.record(request, LOOK, [response.context_data["object"]])
        return response

    def record(self, request: HttpRequest, act: str, rows: Iterable[Model]) -> None:
        """Write an audit entry for each owner of the rows; rows of the site itself have no owner."""
        owned = [(getattr(row, self.owner_field), row.pk) for row in rows]
        seen = [(owner, row) for owner, row in owned if owner is not None]
        with override(None):  # the entry holds the English name, and is translated when it is shown
            subject = str(self.opts.verbose_name_plural)
        record(request.user.get_username(), act, subject, seen)


class ReadOnly(Audited):
    """Admin in which nothing is added, changed or deleted by hand."""

    ordering = ("-id",)  # ids are created in order of time
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_curate_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may act on the rows: staff with the model's change permission."""
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    def each_owner(self, request: HttpRequest, queryset: QuerySet[Any], name: str, act: Act) -> None:
        """Call `act` on the selected rows, owner by owner, each recorded in the transaction of the act."""
        chosen: dict[UUID, list[Model]] = {}
        for row in queryset.order_by(self.owner_field, "id"):
            chosen.setdefault(getattr(row, self.owner_field), []).append(row)
        done = 0
        for owner, rows in chosen.items():
            try:
                with transaction.atomic():
                    act(owner, [row.pk for row in rows])
                    self.record(request, name, rows)
                done += len(rows)
            except MemsiteError as error:
                self.message_user(request, gettext(error.message), messages.ERROR)
        self.message_user(request, ngettext("Done with %d row.", "Done with %d rows.", done) % done)


def get_actor_name(request: HttpRequest) -> str:
    """Return the name of the acting staff in events: `staff:<name>`, cut to the column's width."""
    return f"staff:{request.user.get_username()}"[:64]
