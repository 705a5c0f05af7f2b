"""Place the sides of a dispute on one time axis, for an SVG whose positions are percentages of its width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memories.pages.conflicts.disputes import Side

LANE: Final = 44  # pixels between two lanes
TOP: Final = 16
#: The axis leaves so much room at its ends, in percent.
_LEFT: Final = 4.0
_RIGHT: Final = 94.0
#: Labels of dates nearer to each other than this, in percent, would overlap on a phone.
_ROOM: Final = 30.0


@dataclass(frozen=True, slots=True)
class Lane:
    """One side: its bar, and the messages that state it. Positions are in percent, `y` in pixels."""

    side: Side
    y: int
    start: float
    end: float
    ends_at: datetime | None
    points: tuple[tuple[float, datetime], ...]

    @property
    def width(self) -> float:
        """The length of the bar."""
        return round(self.end - self.start, 2)


@dataclass(frozen=True, slots=True)
class Tick:
    """A date below the axis. `anchor` is the SVG attribute `text-anchor`."""

    x: float
    at: datetime
    anchor: str


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """The drawing of a dispute's memories over time: their lanes and the marks of the axis."""

    lanes: tuple[Lane, ...]
    ticks: tuple[Tick, ...]
    base: int
    height: int


def build_axis(sides: Sequence[Side], *, now: datetime) -> TimeAxis:
    """Return the axis from the earliest date of any side until now."""
    first = min(moment for side in sides for moment in _moments(side))
    span = max(now - first, timedelta(days=1))

    def place(moment: datetime) -> float:
        share = (min(moment, now) - first) / span
        return round(_LEFT + (_RIGHT - _LEFT) * share, 2)

    lanes = tuple(
        Lane(
            side=side,
            y=TOP + number * LANE,
            start=place(side.begins),
            end=max(place(side.memory.valid_until or now), place(side.begins) + 1),
            ends_at=side.memory.valid_until,
            points=tuple((place(moment), moment) for moment in _points(side)),
        )
        for number, side in enumerate(sides)
    )
    base = TOP + len(lanes) * LANE
    return TimeAxis(lanes, _ticks([first, *(side.begins for side in sides), now], place), base, base + 26)


def _moments(side: Side) -> list[datetime]:
    return [side.begins, *_points(side)]


def _points(side: Side) -> list[datetime]:
    return sorted({source.at for source in side.sources}) or [side.stated_at]


def _ticks(moments: Sequence[datetime], put: Callable[[datetime], float]) -> tuple[Tick, ...]:
    """Return the first date, today, and those between that have room."""
    ends = {put(moments[0]): moments[0], put(moments[-1]): moments[-1]}
    for moment in sorted(moments[1:-1]):
        if all(abs(put(moment) - other) >= _ROOM for other in ends):
            ends[put(moment)] = moment
    return tuple(Tick(x, at, _anchor(x)) for x, at in sorted(ends.items()))


def _anchor(x: float) -> str:
    if x < _ROOM / 2:
        return "start"
    return "end" if x > 100 - _ROOM / 2 else "middle"
