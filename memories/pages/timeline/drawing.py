"""Place values on a time axis, for an SVG whose horizontal positions are percentages of its width. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol
from unicodedata import east_asian_width

from django.utils.formats import date_format

#: Pixels of a bar, and between two rows of bars; where there are many rows, of a bar without words.
_BAR: Final = 26
_LOW_BAR: Final = 9
_SPACE: Final = 5
#: From so many rows on, bars are low.
_MANY_ROWS: Final = 4
#: The most rows of bars; values that overlap more are in the list only.
_MOST_ROWS: Final = 8
#: The share of the width, in percent, of a letter: where the strip is wide, and on a phone.
_LETTER: Final = 1.55
_LETTER_ON_PHONE: Final = 2.75
_WIDE: Final = 1.7  # letters that a Chinese character is as wide as
#: Every bar is at least this wide, in percent, so that it can be seen and pointed at.
_LEAST_WIDTH: Final = 1.5
#: The share of the axis behind today, for what is known of the future.
_FUTURE: Final = 0.2
_SHORTEST: Final = timedelta(days=14)
#: If fewer than this share of the values began long before all others, the axis begins after them.
_EARLY_SHARE: Final = 0.2
_EARLY_FACTOR: Final = 3
#: Months between two ticks.
_MONTHS: Final = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12000, 24000)
_DAYS: Final = (1, 2, 5, 10, 20)
_MOST_TICKS: Final = 5
_MONTHS_A_YEAR: Final = 12


class Period(Protocol):
    """A value with a beginning, and perhaps an end."""

    @property
    def begin(self) -> datetime:
        """When it begins."""
        ...

    @property
    def end(self) -> datetime | None:
        """When it ends; None while it lasts."""
        ...


@dataclass(frozen=True, slots=True)
class Tick:
    """A date of the axis.

    Attributes:
        anchor: The SVG attribute `text-anchor`.
        has_room: Whether the label has room beside the one before it where the axis is narrow, as on a phone.
    """

    x: float
    label: str
    anchor: str
    has_room: bool = True


@dataclass(frozen=True, slots=True)
class Axis:
    """The time that all lanes of a page share.

    Attributes:
        today: The position of now in percent; None if it is outside.
    """

    start: datetime
    end: datetime
    ticks: tuple[Tick, ...]
    today: float | None

    def place(self, moment: datetime) -> float:
        """Return the position of a moment in percent; what lies outside is at the edge."""
        return _place(moment, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of one value.

    Attributes:
        number: The place of the value among those that were given.
        x: In percent, as `width`; `y` and `height` in pixels.
        is_cut: Whether it begins before the axis.
    """

    number: int
    x: float
    width: float
    y: int
    height: int
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """The bars of one lane. `height` in pixels; `has_words`: whether bars are high enough for words."""

    bars: tuple[Bar, ...]
    height: int
    has_words: bool


def build_axis(
    periods: Sequence[Period], *, now: datetime, since: datetime | None, until: datetime | None
) -> Axis:
    """Return the axis of all periods, or of the requested range.

    Args:
        periods: All values of a page.
        now: The present.
        since: The requested beginning, or None.
        until: The requested end, or None.
    """
    end = until or _find_end(periods, now)
    start = since or _find_start(periods, end)
    if end - start < _SHORTEST:
        start = end - _SHORTEST
    today = _place(now, start, end) if start < now < end else None
    return Axis(start, end, tuple(_make_ticks(start, end)), today)


def draw_strip(periods: Sequence[Period], axis: Axis) -> Strip:
    """Return the bars of one lane; values that overlap are in rows of their own."""
    rows: list[float] = []
    placed: list[tuple[int, float, float, int, bool]] = []
    open_end = 100.0 if axis.today is None else axis.today
    ordered = sorted(enumerate(periods), key=lambda one: (one[1].begin, one[0]))
    for number, period in ordered:
        if not _is_inside(period, axis):
            continue
        left = axis.place(period.begin)
        right = max(axis.place(period.end) if period.end else open_end, left + _LEAST_WIDTH)
        left = min(left, 100 - _LEAST_WIDTH)
        row = next((place for place, taken in enumerate(rows) if taken <= left), len(rows))
        if row < _MOST_ROWS:
            rows[row : row + 1] = [right]
            placed.append((number, left, min(right, 100) - left, row, period.begin < axis.start))
    height = _BAR if len(rows) < _MANY_ROWS else _LOW_BAR
    bars = tuple(
        Bar(number, left, round(width, 2), _SPACE + row * (height + _SPACE), height, is_cut)
        for number, left, width, row, is_cut in placed
    )
    return Strip(bars, _SPACE + max(1, len(rows)) * (height + _SPACE), has_words=height == _BAR)


def fit_words(words: str, width: float, *, on_phone: bool) -> str:
    """Return as much of a text as fits into a bar; empty if it is less than two letters.

    Args:
        words: The text.
        width: The width of the bar in percent of the strip.
        on_phone: Whether the strip is as narrow as on a phone.
    """
    letter = _LETTER_ON_PHONE if on_phone else _LETTER
    room = width / letter - 2
    taken, end = 0.0, 0
    for end, character in enumerate(words, start=1):
        taken += _count_letters(character)
        if taken > room:
            return words[: end - 2].rstrip() + "…" if end > 3 else ""  # noqa: PLR2004 - a letter and the mark
    return words[:end]


def _is_inside(period: Period, axis: Axis) -> bool:
    return period.begin < axis.end and (period.end is None or period.end > axis.start)


def _place(moment: datetime, start: datetime, end: datetime) -> float:
    share = (min(max(moment, start), end) - start) / (end - start)
    return round(100 * share, 2)


def _find_end(periods: Iterable[Period], now: datetime) -> datetime:
    """Return the present, or later if a value is known to begin or end later."""
    moments = [moment for one in periods for moment in (one.begin, one.end) if moment is not None]
    latest = max(moments, default=now)
    if latest <= now:
        return now
    first = min([*moments, now])
    return min(latest, now + max((now - first) * _FUTURE, _SHORTEST))


def _find_start(periods: Iterable[Period], end: datetime) -> datetime:
    """Return the first beginning. A few that are far before all others do not squeeze the rest."""
    begins = sorted(one.begin for one in periods)
    if not begins:
        return end - timedelta(days=365)
    first, usual = begins[0], begins[int(len(begins) * _EARLY_SHARE)]
    if end - first > _EARLY_FACTOR * max(end - usual, _SHORTEST):
        first = usual - (end - usual) * 0.05
    return first - (end - first) * 0.02


def _make_ticks(start: datetime, end: datetime) -> Iterator[Tick]:
    taken = -100.0  # where the last label that has room ends on a phone
    for moment, label_format in _choose_dates(start, end):
        x = _place(moment, start, end)
        anchor = "start" if x < 8 else "end" if x > 92 else "middle"  # noqa: PLR2004 - percent: room for a label
        label = str(moment.year) if label_format == "year" else date_format(moment, label_format)
        width = (_count_letters(label) + 1) * _LETTER_ON_PHONE
        begin = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        has_room = begin >= taken
        taken = begin + width if has_room else taken
        yield Tick(x, label, anchor, has_room)


def _count_letters(words: str) -> float:
    """Return the width of a text in Latin letters."""
    return sum(_WIDE if east_asian_width(character) in "WF" else 1 for character in words)


def _choose_dates(start: datetime, end: datetime) -> list[tuple[datetime, str]]:
    """Return first days of months or years within the range; of a short range, days."""
    for months in _MONTHS:
        found = list(_list_months(start, end, months))
        if 1 < len(found) <= _MOST_TICKS:
            return [(one, "year" if months >= _MONTHS_A_YEAR else "YEAR_MONTH_FORMAT") for one in found]
        if len(found) <= 1:
            break
    first = datetime(start.year, start.month, start.day, tzinfo=UTC) + timedelta(days=1)
    for days in _DAYS:
        found = [first + timedelta(days=number) for number in range(0, (end - first).days + 1, days)]
        if len(found) <= _MOST_TICKS - 1:
            return [(one, "MONTH_DAY_FORMAT") for one in found]
    return []


def _list_months(start: datetime, end: datetime, step: int) -> Iterator[datetime]:
    """Yield the first days of every `step`-th month within a range, one more than fit at most."""
    number = start.year * _MONTHS_A_YEAR + start.month - 1
    number += -number % step
    for _count in range(_MOST_TICKS + 2):
        year, month = divmod(number, _MONTHS_A_YEAR)
        if not 1 <= year <= 9999:  # noqa: PLR2004 - the years of a datetime
            return
        moment = datetime(year, month + 1, 1, tzinfo=UTC)
        if moment > end:
            return
        if moment >= start:
            yield moment
        number += step
