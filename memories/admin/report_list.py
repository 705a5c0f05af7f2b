"""Reports in the admin: those of owners, and those of the whole site with their charts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import Report, ReportKind, SiteReport
from memories.models.labels import STAFF_STATUS_LABELS, get_label
from memsite.accounts.audited_admin import OwnerFilter, ReadOnly
from memsite.jobs.admin import count_ended_jobs
from memsite.jobs.models import Status as JobStatus
from memsite.web.charts import Part, Point, Series, draw_bars, draw_columns, draw_line

#: How many days the charts go back.
_DAYS: Final = 90
_KIND_LABELS: Final[Mapping[str, Promise]] = {
    ReportKind.QUALITY: _("Quality"),
    ReportKind.CONFLICTS: _("Conflicts"),
}


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """Reports of owners: counts and ids, never the text of a person."""

    list_display = ("day", "owner", "kind_name", "score_points", "created_at")
    list_filter = (OwnerFilter, ("day", admin.DateFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("owner__username",)
    search_help_text = _("The owner's name")
    sortable_by = ()
    fields = ("owner", "kind_name", "day", "score_points", "figures", "created_at")

    @admin.display(description=_("kind"))
    def kind_name(self, report: Report) -> str:
        """Return the label of the report's subject."""
        return get_label(_KIND_LABELS, report.kind)

    @admin.display(description=_("score"))
    def score_points(self, report: Report) -> str:
        """Return the score with one decimal place."""
        return _format_score(report.score)

    @admin.display(description=_("figures"))
    def figures(self, report: Report) -> SafeString:
        """Return the numbers of the report."""
        return _show_json(report.body)


@admin.register(SiteReport)
class SiteReportAdmin(ReadOnly):
    """Reports of all owners of a day together: charts of the last days, and the days."""

    list_display = ("day", "score_points", "owners", "memories", "memory_on", "created_at")
    ordering = ("-day",)
    sortable_by = ()
    fields = ("day", "score_points", "owners", "memories", "memory_on", "figures", "created_at")
    change_list_template = "admin/memories/site_report.html"

    @admin.display(description=_("score"))
    def score_points(self, report: SiteReport) -> str:
        """Return the mean score with one decimal place."""
        return _format_score(report.score)

    @admin.display(description=_("owners"))
    def owners(self, report: SiteReport) -> int:
        """Return the number of owners in the report."""
        return int(report.body.get("owners", 0))

    @admin.display(description=_("memories"))
    def memories(self, report: SiteReport) -> int:
        """Return the number of memories in the report."""
        return int(report.body.get("memories", 0))

    @admin.display(description=_("people with memory on"))
    def memory_on(self, report: SiteReport) -> str:
        """Return the share of people whose memory is on, in percent."""
        share = report.body.get("memory_on")
        return "–" if share is None else f"{100 * share:.0f} %"

    @admin.display(description=_("figures"))
    def figures(self, report: SiteReport) -> SafeString:
        """Return the numbers of the report."""
        return _show_json(report.body)

    def record(self, request: HttpRequest, act: str, rows: Iterable[Model]) -> None:
        """Record nothing: a site report belongs to no owner and names none."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the charts above the list of days."""
        days = list(reversed(self.get_queryset(request).order_by("-day")[:_DAYS]))
        facts = {"title": gettext("Report of the site"), "charts": draw_charts(days)}
        return super().changelist_view(request, facts | (extra_context or {}))


def draw_charts(reports: Sequence[SiteReport]) -> list[SafeString]:
    """Return the charts of the site's reports, oldest first: numbers of all owners together, no text.

    The spread of scores is left out where the site has fewer than five owners.
    """
    latest = reports[-1].body if reports else {}
    scores = [Point(one.day, one.score) for one in reports if one.score is not None]
    growth = [Point(one.day, one.body.get("memories", 0)) for one in reports]
    charts = [
        draw_line("score", gettext("Mean score of all owners"), scores, bounds=(0, 100), decimals=1),
        _draw_spread(latest.get("scores") or ()),
        draw_line("growth", gettext("Memories stored"), growth),
        _draw_statuses(latest.get("by_status") or {}),
        _draw_jobs(),
    ]
    return [chart for chart in charts if chart]


def _format_score(score: float | None) -> str:
    return "" if score is None else f"{score:.1f}"


def _show_json(body: Mapping[str, Any]) -> SafeString:
    """Return the stored figures, whose names are those of the API."""
    text = json.dumps(body, indent=1, ensure_ascii=False)
    return format_html('<pre class="figures"><code>{}</code></pre>', text)


def _draw_spread(scores: Sequence[int]) -> SafeString:
    """Draw how many owners have a score of 0 to 9, 10 to 19, … 90 to 100."""
    periods = [f"{10 * tenth}–{10 * tenth + (9 if tenth < 9 else 10)}" for tenth in range(len(scores))]  # noqa: PLR2004 - the last holds 100, too
    series = [Series(gettext("Owners"), scores)]
    title = gettext("How many owners have which score")
    return draw_columns("spread", title, periods, series, unit=gettext("Score"))


def _draw_statuses(counts: Mapping[str, int]) -> SafeString:
    parts = [Part(str(label), counts.get(status, 0)) for status, label in STAFF_STATUS_LABELS.items()]
    return draw_bars("statuses", gettext("Memories by status"), parts) if counts else SafeString()


def _draw_jobs() -> SafeString:
    counts = count_ended_jobs(days=7)
    parts = [
        Part(gettext("Done"), counts.get(JobStatus.DONE, 0)),
        Part(gettext("Failed"), counts.get(JobStatus.FAILED, 0) + counts.get(JobStatus.DEAD, 0), "warn"),
        Part(gettext("Skipped, because a later one did the work"), counts.get(JobStatus.SKIPPED, 0), "rest"),
    ]
    return draw_bars("jobs", gettext("Jobs that ended in the last 7 days"), parts)
