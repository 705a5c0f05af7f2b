"""Lists of the admin that stay quick with many rows: bounded counts, one scan a search, owners by name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, cast
from uuid import UUID

from django.contrib.admin import ListFilter, ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from memsite.accounts.models import User

#: A list counts and pages through at most this many rows; filters lead to the others.
MOST_LISTED: Final = 5_000
#: How many names a search field suggests.
MOST_SUGGESTED: Final = 10


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # not generic at run time
    """Pages through the first 5,000 rows of a list.

    It reads their ids once: counting all matches and then reading a page would search all rows twice.
    """

    @cached_property
    def _keys(self) -> list[UUID]:
        return list(cast("QuerySet[Model]", self.object_list).values_list("pk", flat=True)[: MOST_LISTED + 1])

    @cached_property
    def count(self) -> int:
        """The number of rows, at most 5,000."""
        return min(len(self._keys), MOST_LISTED)

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than can be paged through."""
        return len(self._keys) > MOST_LISTED

    def page(self, number: int | str) -> Page[Any]:
        """Return one page; its rows keep the order of the list."""
        first = (self.validate_number(number) - 1) * self.per_page
        keys = self._keys[first : min(first + self.per_page, MOST_LISTED)]
        return Page(cast("QuerySet[Model]", self.object_list).filter(pk__in=keys), int(number), self)


class BoundedChangeList(ChangeList):
    """A list that reads even a single page by its ids, so that a search scans the rows once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if not self.multi_page:
            self.result_list = self.paginator.page(1).object_list


class OwnerFilter(ListFilter):
    """Show the rows of one owner, by their user name; names are suggested while they are typed."""

    title = _("owner")
    parameter_name = "owner"
    template = "admin/owner_filter.html"

    def __init__(
        self, request: HttpRequest, params: dict[str, Any], model: type[Model], model_admin: ModelAdmin[Any]
    ) -> None:
        super().__init__(request, params, model, model_admin)
        given = params.pop(self.parameter_name, None)
        if given:
            self.used_parameters[self.parameter_name] = given[-1]
        self._suggestions = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_owners")

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [self.parameter_name]

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        """Yield once what the template needs: the name, and the other filters, which stay."""
        others = self.request.GET.copy()
        for name in (self.parameter_name, "p"):
            others.pop(name, None)
        yield {
            "name": self.used_parameters.get(self.parameter_name, ""),
            "others": [(name, value) for name, values in others.lists() for value in values],
            "suggestions": self._suggestions,
            "without": changelist.get_query_string(remove=[self.parameter_name]),
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        name = str(self.used_parameters.get(self.parameter_name, "")).strip()
        if not name:
            return queryset
        person = User.objects.filter(username=name).values_list("pk", flat=True).first()
        return queryset.filter(owner_id=person) if person is not None else queryset.none()


def suggest_names(beginning: str) -> list[str]:
    """Return user names that begin with this text, in any case, in alphabetical order."""
    if not beginning.strip():
        return []
    found = User.objects.filter(username__istartswith=beginning.strip()).order_by("username")
    return list(found.values_list("username", flat=True)[:MOST_SUGGESTED])
