"""The settings page of privacy: who looked, what a model was sent, how long data are kept; the audit record.

The audit record lists looks and acts of staff, and acts on the account itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol, cast
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from memsite.accounts.audit import LOOK, OWN_ACTS, find_undone
from memsite.accounts.models import AuditEntry, User
from memsite.accounts.oauth import UNUSED_DAYS
from memsite.accounts.signing import describe_device
from memsite.jobs.conf import KEEP_DONE_DAYS, KEEP_FAILED_DAYS
from memsite.metering import ModelPurpose, PurposeUsage, list_model_status, list_usage_by_purpose
from memsite.web.overview import OverviewPart
from memsite.web.settings_parts import (
    Retention,
    SettingsPage,
    format_days,
    list_retentions,
    make_settings_parts,
)

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
_DAY_SECONDS: Final = 86_400
_NEWEST: Final = 5  # looks and acts of staff on the page of privacy
_LATELY: Final = timedelta(days=14)  # in which a change by staff is on the overview
_DAYS: Final = 30  # of the use of models that the page shows
#: What a model is sent for each purpose.
PURPOSES: Final[dict[ModelPurpose, tuple[Promise, Promise]]] = {
    ModelPurpose.REPLY: (
        _("Answers in a chat"),
        _("your message, the recent messages, a summary of the earlier ones, and the memories that fit"),
    ),
    ModelPurpose.LEARNING: (
        _("Learning from messages"),
        _("new messages and a few before them, without passwords, keys and identity numbers"),
    ),
    ModelPurpose.SUMMARY: (_("Summaries of long threads"), _("the messages that are summarised")),
    ModelPurpose.COMPARISON: (
        _("Comparing memories"),
        _("pairs of memories that may say the same or contradict each other"),
    ),
    ModelPurpose.REFLECTION: (_("Conclusions from several memories"), _("memories on one subject")),
    ModelPurpose.OTHER: (
        _("Other"),
        _("tests of the connection, and earlier calls"),
    ),
}


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One entry as the page shows it.

    Attributes:
        device: The browser in words, or the key that was used; "" if it is not known.
        links: (URL, first words) of the first rows; the end of the id in place of what is gone.
        more: How many rows have no link here.
        undo_url: URL whose POST undoes the act; "" if it has no batch, or was undone by the staff.
    """

    entry: AuditEntry
    device: str
    links: list[tuple[str, str]]
    more: int
    undo_url: str


@dataclass(frozen=True, slots=True)
class SentData:
    """The requests to the models for one purpose in the last 30 days.

    Attributes:
        label: The purpose.
        contents: What such a request holds.
        used: The requests and tokens by model; empty if there were none.
    """

    label: Promise
    contents: Promise
    used: list[PurposeUsage]


class NameRows(Protocol):
    """Returns the beginnings of the texts of an owner's rows, by id. Rows that are gone are left out."""

    def __call__(self, ids: Collection[UUID], *, owner: UUID) -> Mapping[UUID, str]: ...


_names: Final[dict[str, NameRows]] = {}


def register_names(subject: str, name_rows: NameRows) -> None:
    """Set how rows of a kind that entries name are called. Call once, from `AppConfig.ready()`."""
    _names[subject] = name_rows


@login_required
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show who looked, what a model was sent, and how long data are kept."""
    person = cast("User", request.user)
    looks = list(person.audit_entries.exclude(act__in=OWN_ACTS).order_by("-id")[:_NEWEST])
    facts = {
        "lines": _list_lines(looks),
        "models": list_model_status(),
        "server": _get_host(settings.OPENAI_BASE_URL),
        "embedding_server": _get_embedding_server(),
        "sent": _list_sent(person.pk),
        "retentions": list_retentions(),
        "parts": make_settings_parts(SettingsPage.PRIVACY, owner=person.pk),
    }
    return render(request, "accounts/privacy.html", facts)


def load_overview_part(*, owner: UUID) -> OverviewPart:
    """Return the newest change that staff made in the last two weeks. Never counts as content of the page."""
    since = timezone.now() - _LATELY
    acts = AuditEntry.objects.filter(FILTERS["acts"][1], owner=owner, created_at__gt=since)
    facts = {"lines": _list_lines(list(acts.order_by("-id")[:1]))}
    return OverviewPart("accounts/_changed_by_staff.html", facts, is_empty=True)


def _list_sent(owner: UUID) -> list[SentData]:
    used = list_usage_by_purpose(owner=owner, days=_DAYS)
    rows = [
        SentData(label, contents, [one for one in used if one.purpose == purpose])
        for purpose, (label, contents) in PURPOSES.items()
    ]
    return [row for row in rows if row.used or row.label != PURPOSES[ModelPurpose.OTHER][0]]


def _get_embedding_server() -> str:
    """Return the host that memories and messages are sent to for their vectors; "" if none is."""
    is_remote = settings.MEMSITE_EMBEDDING == "openai"
    return _get_host(settings.MEMSITE_EMBEDDING_BASE_URL) if is_remote else ""


def _get_host(url: str) -> str:
    """Return the host of a URL, without user name, password or path."""
    return urlsplit(url).hostname or ""


def list_account_retentions() -> tuple[Retention, ...]:
    """Return how long what belongs to the account is kept."""
    sessions = format_days(settings.SESSION_COOKIE_AGE // _DAY_SECONDS)
    unused = format_days(UNUSED_DAYS)
    jobs = gettext("%(done)s when done, %(failed)s when failed") % {
        "done": format_days(KEEP_DONE_DAYS),
        "failed": format_days(KEEP_FAILED_DAYS),
    }
    return (
        Retention(gettext("Who looked, and the use of models by day"), gettext("As long as your account")),
        Retention(
            gettext("Signed-in browsers"), gettext("%(days)s after the last sign-in") % {"days": sessions}
        ),
        Retention(
            gettext("Connected programs"),
            gettext("Until you disconnect them, or %(days)s without use") % {"days": unused},
        ),
        Retention(gettext("Background jobs: ids, no text"), jobs),
        Retention(gettext("Backups"), gettext("As long as whoever runs this site keeps them")),
    )


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
        "lines": _list_lines(list(page.object_list)),
        "filters": [(name, label, name == show) for name, (label, _rows) in FILTERS.items()],
    }
    return render(request, "accounts/audit.html", facts)


def _list_lines(entries: list[AuditEntry]) -> list[AuditLine]:
    undone = find_undone(entries) if entries else set()
    names = _name_rows(entries)
    return [_line(entry, undone, names) for entry in entries]


def _name_rows(entries: Sequence[AuditEntry]) -> dict[UUID, str]:
    """Return the first words of the rows that the entries of one owner link to; one query a kind of rows."""
    found: dict[UUID, str] = {}
    for subject, name_rows in _names.items():
        ids = [row for one in entries if one.subject == subject for row in one.subject_ids[:_LINKS]]
        if ids:
            found |= name_rows(ids, owner=entries[0].owner_id)
    return found


def _line(
    entry: AuditEntry, undone: Collection[tuple[UUID, UUID | None]], names: Mapping[UUID, str]
) -> AuditLine:
    links = [
        (address, names.get(row) or f"…{str(row)[-6:]}")
        for row in entry.subject_ids[:_LINKS]
        if (address := _address(entry.subject, row))
    ]
    device = describe_device(entry.detail) if entry.detail and entry.address else ""
    can_undo = entry.batch_id is not None and (entry.owner_id, entry.batch_id) not in undone
    undo_url = reverse("undo_batch", args=[entry.batch_id]) if can_undo else ""
    return AuditLine(entry, device, links, len(entry.subject_ids) - len(links), undo_url)


def _address(subject: str, row: UUID) -> str:
    """Return the URL of a row that the owner may see; "" if there is none."""
    try:
        return reverse(_PAGES[subject], args=[row])
    except (KeyError, NoReverseMatch):
        return ""
