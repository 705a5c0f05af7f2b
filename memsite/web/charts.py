"""Draw charts as SVG on the server: a line over days, columns by period, bars, and shares of a whole.

Each function returns the HTML of one chart with its numbers as text, for a page that loads `css/charts.css`.
Positions across are percentages of the width and positions down are pixels, so that a chart fills its column
and its text keeps its size. Colours are classes; series differ by pattern or place too, not by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from django.template.loader import render_to_string
from django.utils.formats import date_format, number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

Tone = Literal["main", "second", "warn", "rest"]

#: Pixels above the plot, of the plot, and of the whole chart with the labels below.
_TOP: Final = 22
_PLOT: Final = 132
_HEIGHT: Final = 184
#: The plot leaves so much room at its left and right, in percent.
_LEFT: Final = 1.5
_RIGHT: Final = 98.5
#: Labels below the axis nearer to each other than this, in percent, would overlap on a phone.
_ROOM: Final = 44.0


@dataclass(frozen=True, slots=True)
class Point:
    """The value of one day."""

    day: date
    value: float


@dataclass(frozen=True, slots=True)
class Series:
    """One row of values of a chart by periods."""

    label: str
    values: Sequence[float]
    tone: Tone = "main"


@dataclass(frozen=True, slots=True)
class Part:
    """One labelled value, of bars or of a whole. `url` leads to what it counts; "" for none."""

    label: str
    value: float
    tone: Tone = "main"
    url: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A position in a chart with the text of its value. `x` and `width` are percentages, the rest pixels."""

    x: float
    y: float
    text: str
    width: float = 0.0
    height: float = 0.0
    tone: Tone = "main"
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Bar:
    """A part as it is drawn. `x` and `width` are percentages; `share` of the whole is from 0 to 1."""

    part: Part
    text: str
    width: float
    x: float = 0.0
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table beside a chart."""

    label: str
    cells: tuple[str, ...]


def format_number(value: float, decimals: int = 0) -> str:
    """Return a number in the language of the page, with its thousands grouped."""
    return str(number_format(value, decimal_pos=decimals, use_l10n=True, force_grouping=True))


def choose_ticks(low: float, high: float, *, least_step: float = 1.0, most: int = 4) -> list[float]:
    """Return round values from at most `low` to at least `high`: steps of 1, 2 or 5 times a power of ten.

    Args:
        low: The lowest value.
        high: The highest value; if it is not above `low`, one step is added.
        least_step: The smallest step: 1 for counts. A power of ten.
        most: The most steps, 2 or more; one more if the values begin between two steps.
    """
    span = max(high - low, least_step)
    power = max(10.0 ** math.floor(math.log10(span / most)), least_step)
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if span <= most * factor * power)
    first, last = math.floor(low / step), math.ceil(max(high, low + step) / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


def draw_line(
    name: str,
    title: str,
    points: Sequence[Point],
    *,
    bounds: tuple[float, float] | None = None,
    decimals: int = 0,
    unit: str = "",
) -> SafeString:
    """Draw a value over days as a line, with a dot for each day.

    Args:
        name: Prefix of the chart's ids, unique in its page.
        title: The heading.
        points: Oldest first.
        bounds: The lowest and highest possible values; the axis stays within them.
        decimals: Decimal places of the values.
        unit: What the values count, for the table; by default the title.

    Returns:
        The chart, or an empty text without points.
    """
    if not points:
        return SafeString()
    ticks = _line_ticks([point.value for point in points], bounds, 10.0**-decimals)
    put_y = _scale(ticks[0], ticks[-1], _TOP + _PLOT, _TOP)
    put_x = _place_days(points)
    dots = [
        Mark(put_x(one.day), put_y(one.value), f"{_day(one.day)}: {format_number(one.value, decimals)}")
        for one in points
    ]
    # The line is drawn in a square of 100 by 100 that is stretched over the plot.
    across = [(dot.x, round((dot.y - _TOP) / _PLOT * 100, 2)) for dot in dots]
    facts = {
        "line": " ".join(f"{x},{y}" for x, y in across),
        "area": " ".join(f"{x},{y}" for x, y in [(across[0][0], 100), *across, (across[-1][0], 100)]),
        "dots": dots if len(dots) <= _MOST_DOTS else [dots[0], dots[-1]],
        "days": _pick_labels([(dot.x, _day(point.day)) for dot, point in zip(dots, points, strict=True)]),
        "guides": _guides(ticks, put_y, 0 if ticks[1] - ticks[0] >= 1 else decimals),
        "summary": _summarise(points, decimals),
        "head": [_("Day"), unit or title],
        "rows": [Row(_day(one.day), (format_number(one.value, decimals),)) for one in reversed(points)],
    }
    return _render("line", name, title, facts)


def draw_columns(
    name: str, title: str, periods: Sequence[str], series: Sequence[Series], *, unit: str = ""
) -> SafeString:
    """Draw one column for each period and series, side by side.

    Args:
        name: Prefix of the chart's ids, unique in its page.
        title: The heading.
        periods: Labels of the periods, such as months, oldest first.
        series: The series, each with one value of 0 or more for each period.
        unit: The heading of the periods in the table.

    Returns:
        The chart, or an empty text without periods.
    """
    if not periods:
        return SafeString()
    highest = max((value for one in series for value in one.values), default=0)
    ticks = choose_ticks(0, max(highest, 1))
    put_y = _scale(ticks[0], ticks[-1], _TOP + _PLOT, _TOP)
    slot = (_RIGHT - _LEFT) / len(periods)
    width = min(slot * 0.72, _WIDEST) / len(series)
    columns = []
    for number, period in enumerate(periods):
        begin = _LEFT + slot * (number + 0.5) - width * len(series) / 2
        for place, one in enumerate(series):
            top = put_y(one.values[number])
            text = f"{period}, {one.label}: {format_number(one.values[number])}"
            x = round(begin + place * width, 2)
            columns.append(Mark(x, top, text, round(width * 0.94, 2), _TOP + _PLOT - top, one.tone))
    centres = [(round(_LEFT + slot * (at + 0.5), 2), period) for at, period in enumerate(periods)]
    facts = {
        "columns": columns,
        "series": series if len(series) > 1 else (),
        "days": _pick_labels(centres),
        "guides": _guides(ticks, put_y, 0),
        "summary": "; ".join(f"{one.label}: {format_number(sum(one.values))}" for one in series),
        "head": [unit or _("Period"), *(one.label for one in series)],
        "rows": [
            Row(period, tuple(format_number(one.values[at]) for one in series))
            for at, period in reversed(list(enumerate(periods)))
        ],
    }
    return _render("columns", name, title, facts)


def draw_bars(name: str, title: str, parts: Sequence[Part], *, decimals: int = 0) -> SafeString:
    """Draw one horizontal bar for each part, with its number; it is a table that shows its values as bars.

    Args:
        name: Prefix of the chart's ids, unique in its page.
        title: The heading.
        parts: The bars, in this order; their values are 0 or more.
        decimals: Decimal places of the values.
    """
    highest = max((part.value for part in parts), default=0) or 1
    bars = [
        Bar(part, format_number(part.value, decimals), round(100 * part.value / highest, 2)) for part in parts
    ]
    return _render("bars", name, title, {"bars": bars}) if parts else SafeString()


def draw_shares(name: str, title: str, parts: Sequence[Part]) -> SafeString:
    """Draw parts of a whole as one bar with a legend that says the number and the share of each.

    Args:
        name: Prefix of the chart's ids, unique in its page.
        title: The heading.
        parts: The parts, each with its own tone; their values are 0 or more.

    Returns:
        The chart, or an empty text if the whole is 0.
    """
    whole = sum(part.value for part in parts)
    if whole <= 0:
        return SafeString()
    bars, begin = [], 0.0
    for part in parts:
        share = part.value / whole
        bars.append(Bar(part, format_number(part.value), round(100 * share, 2), round(100 * begin, 2), share))
        begin += share
    return _render("shares", name, title, {"bars": bars})


#: With more days, only the first and the last have a dot.
_MOST_DOTS: Final = 62
#: The widest group of columns, in percent.
_WIDEST: Final = 12.0


def _render(kind: str, name: str, title: str, facts: Mapping[str, object]) -> SafeString:
    layout = {"name": name, "title": title, "height": _HEIGHT, "top": _TOP, "plot": _PLOT}
    return SafeString(render_to_string(f"parts/_chart_{kind}.html", {**layout, **facts}))


def _scale(low: float, high: float, begin: float, end: float) -> Callable[[float], float]:
    """Return the function that maps values from `low` to `high` to positions from `begin` to `end`."""
    return lambda value: round(begin + (end - begin) * (value - low) / (high - low), 2)


def _line_ticks(
    values: Sequence[float], bounds: tuple[float, float] | None, least_step: float
) -> list[float]:
    """Return the ticks of a line. Within bounds they span a fifth at least: small changes look small."""
    low, high = min(values), max(values)
    if bounds is None:
        return choose_ticks(low, high, least_step=least_step)
    span = max(high - low, (bounds[1] - bounds[0]) / 5)
    low = min(max(bounds[0], (low + high - span) / 2), bounds[1] - span)
    inside = [tick for tick in choose_ticks(low, low + span) if bounds[0] <= tick <= bounds[1]]
    return inside if inside[0] <= min(values) and inside[-1] >= high else [*bounds]


def _place_days(points: Sequence[Point]) -> Callable[[date], float]:
    first, last = points[0].day.toordinal(), points[-1].day.toordinal()
    if first == last:
        return lambda _day: 50.0
    put = _scale(first, last, _LEFT, _RIGHT)
    return lambda day: put(day.toordinal())


def _guides(ticks: Sequence[float], put_y: Callable[[float], float], decimals: int) -> list[Mark]:
    return [Mark(0, put_y(tick), format_number(tick, decimals)) for tick in ticks]


def _pick_labels(labels: Sequence[tuple[float, str]]) -> list[Mark]:
    """Return the first label, the last, and those between that have room."""
    chosen = {labels[0][0]: labels[0][1], labels[-1][0]: labels[-1][1]}
    for x, text in labels[1:-1]:
        if all(abs(x - other) >= _ROOM for other in chosen):
            chosen[x] = text
    return [Mark(x, _HEIGHT - 8, text, anchor=_anchor(x)) for x, text in sorted(chosen.items())]


def _anchor(x: float) -> str:
    if x < _ROOM / 2:
        return "start"
    return "end" if x > 100 - _ROOM / 2 else "middle"


def _summarise(points: Sequence[Point], decimals: int) -> str:
    """Return a sentence that says what a line shows, for those who do not see it."""
    first, last = points[0], points[-1]
    words = {
        "last": format_number(last.value, decimals),
        "end": _day(last.day),
        "first": format_number(first.value, decimals),
        "begin": _day(first.day),
    }
    if len(points) == 1:
        return _("%(last)s on %(end)s") % words
    return _("From %(first)s on %(begin)s to %(last)s on %(end)s") % words


def _day(day: date) -> str:
    return str(date_format(day, "DATE_FORMAT"))
