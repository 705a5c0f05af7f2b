"""A report as its page shows it: the score as a line, the findings by kind, the terms as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from memories.maintenance import KINDS, Point, Reading, Seen
from memories.pages.report.report_labels import FINDING_LABELS, TERM_LABELS

WIDTH: Final = 600
HEIGHT: Final = 140
_EDGE: Final = 8  # room for a dot at the rim


@dataclass(frozen=True, slots=True)
class Dot:
    """One day of the chart: its place in the picture, and what it says."""

    x: float
    y: float
    day: date
    score: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The trend as points of an SVG of WIDTH by HEIGHT; 100 lies at the top. line: as `points` wants it."""

    line: str
    dots: tuple[Dot, ...]
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class Group:
    """The open findings of one kind, and how many there are in all."""

    kind: str
    label: str
    findings: list[Seen]
    count: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One term of the score. value: a share in [0, 1]; lost: the points it costs."""

    label: str
    value: float
    lost: float


def chart(points: Sequence[Point]) -> Chart:
    """Days from left to right by their date, scores from 0 at the bottom to 100."""
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


def groups(reading: Reading) -> list[Group]:
    """What is open, by kind, the gravest first."""
    figures = reading.report.body.get("figures", {})
    found = []
    for kind in KINDS:
        findings = [seen for seen in reading.findings if seen.open and seen.finding.kind == kind]
        if findings:
            told = max(len(findings), figures.get(_FIGURES.get(kind, kind), 0))
            found.append(Group(kind, str(FINDING_LABELS[kind]), findings, told))
    return found


def bars(body: dict[str, Any]) -> list[Bar]:
    """The terms, those that cost most first."""
    found = [
        Bar(str(TERM_LABELS[term["name"]]), term["value"], term["weight"] * (1 - term["value"]))
        for term in body.get("terms", ())
        if term["name"] in TERM_LABELS
    ]
    return sorted(found, key=lambda bar: -bar.lost)


_FIGURES: Final = {"conflict": "conflicts"}
