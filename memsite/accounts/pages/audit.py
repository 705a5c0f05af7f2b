"""Page of a person's audit record: looks and acts of staff, and acts on the account itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from memsite.accounts.audit import LOOK, OWN_ACTS
from memsite.accounts.models import AuditEntry, User

PAGE_SIZE: Final = 50
#: The filters of the page, by the value of `show`.
FILTERS: Final = {
    "": (_("All"), Q()),
    "acts": (_("Acts"), ~Q(act__in=[LOOK, *OWN_ACTS])),
    "looks": (_("Looks"), Q(act=LOOK)),
    "own": (_("My account"), Q(act__in=OWN_ACTS)),
}
#: The page of one row, by the kind of rows an entry names. The apps above add these pages.
_PAGES: Final = {"memories": "memory", "threads": "thread"}
_LINKS: Final = 5  # per entry


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One entry as the page shows it.

    Attributes:
        links: (URL, end of the id) of the first rows.
        more: How many rows have no link here.
    """

    entry: AuditEntry
    links: list[tuple[str, str]]
    more: int


@login_required
@require_safe
def audit(request: HttpRequest) -> HttpResponse:
    """Show every look and act of staff and every own sign-in, key and export, newest first."""
    show = request.GET.get("show", "")
    show = show if show in FILTERS else ""
    entries = cast("User", request.user).audit_entries.filter(FILTERS[show][1])
    page = Paginator(entries.order_by("-id"), PAGE_SIZE).get_page(
        request.GET.get("page")
    )  # ids grow with time
    facts = {
        "page": page,
        "lines": [_line(entry) for entry in page.object_list],
        "filters": [(name, label, name == show) for name, (label, _rows) in FILTERS.items()],
    }
    return render(request, "accounts/audit.html", facts)


def _line(entry: AuditEntry) -> AuditLine:
    links = [
        (address, str(row)[-6:]) for row in entry.subject_ids if (address := _address(entry.subject, row))
    ]
    return AuditLine(entry, links[:_LINKS], len(entry.subject_ids) - len(links[:_LINKS]))


def _address(subject: str, row: UUID) -> str:
    """Return the URL of a row that the owner may see; "" if there is none."""
    try:
        return reverse(_PAGES[subject], args=[row])
    except (KeyError, NoReverseMatch):
        return ""
