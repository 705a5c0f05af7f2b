"""Return the score day by day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from memories.models import Report, ReportKind

#: The most reports in a trend, its own included.
LOOKED_BACK: Final = 30


@dataclass(frozen=True, slots=True)
class Point:
    """The score of one day, from 0 to 100."""

    day: date
    score: float


@dataclass(frozen=True, slots=True)
class Trend:
    """A trend.

    Attributes:
        points: Oldest first; the last is the report's own.
    """

    points: tuple[Point, ...]

    @property
    def change(self) -> float | None:
        """The difference to the previous score; None for the first."""
        return self.points[-1].score - self.points[-2].score if len(self.points) > 1 else None


def load_trend(report: Report) -> Trend:
    """Return the scores up to a report's day. Makes one query, or none for a report without a score."""
    if report.score is None:
        return Trend(())
    rows = Report.objects.filter(
        owner_id=report.owner_id, kind=ReportKind.QUALITY, day__lte=report.day, score__isnull=False
    )
    days = list(rows.order_by("-day").values_list("day", "score")[:LOOKED_BACK])
    return Trend(tuple(Point(day, score) for day, score in reversed(days) if score is not None))
