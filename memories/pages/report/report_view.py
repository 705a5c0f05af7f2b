"""Prepare a report for its page: the score as a line, the findings by kind, the terms as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from memories.maintenance import DisplayedFinding, DisplayedReport, FindingKind, Point
from memories.pages.report.report_labels import FINDING_LABELS, TERM_LABELS

WIDTH: Final = 600
HEIGHT: Final = 140
_EDGE: Final = 8  # margin for a dot at the edge


@dataclass(frozen=True, slots=True)
class Dot:
    """One day of the chart: its position, and its data."""

    x: float
    y: float
    day: date
    score: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The trend in an SVG of WIDTH by HEIGHT; 100 is at the top. `line` is the SVG attribute `points`."""

    line: str
    dots: tuple[Dot, ...]
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class Group:
    """The open findings of one kind, and their total number."""

    kind: FindingKind
    label: str
    findings: list[DisplayedFinding]
    count: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One term of the score. `value` is from 0 to 1; `lost` is the points it costs."""

    label: str
    value: float
    lost: float


def build_chart(points: Sequence[Point]) -> Chart:
    """Return the chart, with days from left to right and scores from 0 at the bottom to 100."""
    if not points:
        return Chart("", ())
    first, last = points[0].day.toordinal(), points[-1].day.toordinal()
    span = max(1, last - first)
    dots = tuple(
        Dot(
            x=round(_EDGE + (WIDTH - 2 * _EDGE) * (point.day.toordinal() - first) / span, 1),
            y=round(_EDGE + (HEIGHT - 2 * _EDGE) * (1 - point.score / 100), 1),
            day=point.day,
            score=point.score,
        )
        for point in points
    )
    return Chart(" ".join(f"{dot.x},{dot.y}" for dot in dots), dots)


def group_findings(reading: DisplayedReport) -> list[Group]:
    """Return the open findings by kind, the most serious first."""
    figures = reading.report.body.get("figures", {})
    found = []
    for kind in FindingKind:
        findings = [seen for seen in reading.findings if seen.open and seen.finding.kind == kind]
        if findings:
            told = max(len(findings), figures.get(_FIGURES.get(kind, kind), 0))
            found.append(Group(kind, str(FINDING_LABELS[kind]), findings, told))
    return found


def build_bars(body: dict[str, Any]) -> list[Bar]:
    """Return the terms, those that cost most points first."""
    found = [
        Bar(str(TERM_LABELS[term["name"]]), term["value"], term["weight"] * (1 - term["value"]))
        for term in body.get("terms", ())
        if term["name"] in TERM_LABELS
    ]
    return sorted(found, key=lambda bar: -bar.lost)


_FIGURES: Final = {FindingKind.CONFLICT: "conflicts"}
