"""How the score went, day by day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from memories.models import QUALITY, Report

#: Reports that a trend looks back over, its own included.
LOOKED_BACK: Final = 30


@dataclass(frozen=True, slots=True)
class Point:
    """The score in [0, 100] of one day."""

    day: date
    score: float


@dataclass(frozen=True, slots=True)
class Trend:
    """points: oldest first, the report's own the last. change: against the one before; None for the first."""

    points: tuple[Point, ...]

    @property
    def change(self) -> float | None:
        return self.points[-1].score - self.points[-2].score if len(self.points) > 1 else None


def trend(report: Report) -> Trend:
    """The scores up to a report's day. One query; none for a report without a score."""
    if report.score is None:
        return Trend(())
    rows = Report.objects.filter(
        owner_id=report.owner_id, kind=QUALITY, day__lte=report.day, score__isnull=False
    )
    days = list(rows.order_by("-day").values_list("day", "score")[:LOOKED_BACK])
    return Trend(tuple(Point(day, score) for day, score in reversed(days) if score is not None))
