"""Draw the charts of a report: the score by day, growth by month, kinds, layers, and use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memories.maintenance import DisplayedReport
from memories.models.labels import KIND_LABELS, LAYER_LABELS, get_label
from memsite.web.charts import Part, Point, Series, draw_bars, draw_columns, draw_line, draw_shares

_BOUNDS: Final = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class ReportCharts:
    """The charts as HTML; empty where a report holds no such numbers."""

    score: SafeString
    growth: SafeString
    kinds: SafeString
    layers: SafeString
    vitality: SafeString
    use: SafeString
    recall: SafeString


def draw_charts(reading: DisplayedReport) -> ReportCharts:
    """Return the charts of a quality report."""
    body = reading.report.body
    totals, figures = body.get("totals", {}), body.get("figures", {})
    return ReportCharts(
        score=draw_scores([Point(point.day, point.score) for point in reading.trend.points]),
        growth=_draw_growth(body.get("months", [])),
        kinds=_draw_counts("kinds", _("By kind"), totals.get("by_kind", {}), KIND_LABELS, "kind"),
        layers=_draw_counts("layers", _("By layer"), totals.get("by_layer", {}), LAYER_LABELS, "layer"),
        vitality=_draw_vitality(figures),
        use=_draw_use(figures),
        recall=_draw_recall(body.get("recall", {})),
    )


def draw_scores(points: list[Point]) -> SafeString:
    """Return the chart of scores by day."""
    return draw_line("scores", _("Score over time"), points, bounds=_BOUNDS, decimals=1, unit=_("Score"))


def _draw_growth(months: list[Mapping[str, Any]]) -> SafeString:
    used = next((place for place, month in enumerate(months) if month["gained"] or month["let_go"]), None)
    if used is None:
        return SafeString()
    shown = months[used:]
    labels = [date_format(date.fromisoformat(f"{month['month']}-01"), "YEAR_MONTH_FORMAT") for month in shown]
    series = [
        Series(_("learnt"), [month["gained"] for month in shown]),
        Series(_("forgotten"), [month["let_go"] for month in shown], "warn"),
    ]
    return draw_columns("growth", _("Learnt and forgotten by month"), labels, series, unit=_("Month"))


def _draw_counts(
    name: str, title: str, counts: Mapping[str, int], labels: Mapping[str, Promise], field: str
) -> SafeString:
    """Return the chart of counts by kind or layer, each a link to the list of these memories."""
    parts = [
        Part(get_label(labels, value), count, url=f"{reverse('memories')}?{_list_query(field, value)}")
        for value, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return draw_bars(name, title, parts)


def _list_query(field: str, value: str) -> str:
    return urlencode({"layer": "all", field: value} if field == "kind" else {field: value})


def _draw_vitality(figures: Mapping[str, int]) -> SafeString:
    parts = [
        Part(_("In use"), figures.get("in_use", 0)),
        Part(_("Kept, seldom used"), figures.get("steady", 0), "second"),
        Part(_("Fading"), figures.get("fading", 0), "warn"),
    ]
    return draw_shares("vitality", _("How alive they are"), parts)


def _draw_use(figures: Mapping[str, int]) -> SafeString:
    unused, stale = figures.get("never_used", 0), figures.get("stale", 0)
    parts = [
        Part(_("Used lately, or new"), max(0, figures.get("learnt", 0) - unused - stale)),
        Part(_("Not used for three months"), stale, "second"),
        Part(_("Never used"), unused, "warn"),
    ]
    return draw_shares("use", _("Whether they are used"), parts)


def _draw_recall(recall: Mapping[str, int]) -> SafeString:
    citations, useful, useless = (recall.get(name, 0) for name in ("citations", "useful", "useless"))
    parts = [
        Part(_("Useful"), useful),
        Part(_("Not useful"), useless, "warn"),
        Part(_("Not judged"), max(0, citations - useful - useless), "rest"),
    ]
    return draw_shares("recall", _("Recalled in 30 days"), parts)
