"""Calendar spans: days, weekends, weeks, months, seasons and years, with their English and Chinese names."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime, timedelta
from enum import StrEnum
from typing import Final


class Unit(StrEnum):
    """Length of a span. A weekday is a day that the text names by its place in a week."""

    DAY = "day"
    WEEKDAY = "weekday"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


#: Mean length in days.
_DAYS: Final = {Unit.DAY: 1, Unit.WEEK: 7, Unit.MONTH: 30, Unit.YEAR: 365}


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time.

    Attributes:
        start: Its start.
        unit: Its length.
        counted: The day that a count of units leads to, for "two years ago"; None for a span that is named.
    """

    start: datetime
    unit: Unit
    counted: datetime | None = None

    def in_english(self) -> str:
        """Return the name of the span: "20 November 2025", "November 2025", "spring 2026", "2025"."""
        if self.unit is Unit.YEAR:
            return f"{self.start.year}"
        if self.unit is Unit.SEASON:
            name = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}[self.start.month]
            return f"{name} {self.start.year}"
        month_name = f"{calendar.month_name[self.start.month]} {self.start.year}"
        if self.unit is Unit.MONTH:
            return month_name
        return f"{'week of ' if self.unit is Unit.WEEK else ''}{self.start.day} {month_name}"

    def in_chinese(self) -> str:
        """Return the name of the span: 2025年11月20日, 2025年11月, 2026年春, 2025年."""
        named = f"{self.start.year}年"
        if self.unit is Unit.YEAR:
            return named
        if self.unit is Unit.SEASON:
            return named + {3: "春", 6: "夏", 9: "秋", 12: "冬"}[self.start.month]
        named += f"{self.start.month}月"
        if self.unit is Unit.MONTH:
            return named
        return f"{named}{self.start.day}日{'那周' if self.unit is Unit.WEEK else ''}"


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def day_span(at: datetime, offset: int = 0, unit: Unit = Unit.DAY) -> Span:
    """Return the day `offset` days after that of `at`, or the weekend that starts on it."""
    return Span(_midnight(at) + timedelta(days=offset), unit)


def week_span(at: datetime, offset: int = 0) -> Span:
    """Return the week `offset` weeks after that of `at`. Weeks start on Monday."""
    return Span(_midnight(at) + timedelta(days=7 * offset - at.weekday()), Unit.WEEK)


def weekend_span(at: datetime, offset: int = 0) -> Span:
    """Return the weekend of the week `offset` weeks after that of `at`."""
    return day_span(at, 7 * offset + 5 - at.weekday(), Unit.WEEKEND)


def month_span(at: datetime, offset: int = 0) -> Span:
    """Return the month `offset` months after that of `at`."""
    return Span(_midnight(shift_months(at.replace(day=1), offset)), Unit.MONTH)


def season_span(at: datetime, month: int, year: int) -> Span:
    """Return the season that starts with a month of a year. Winter starts in December."""
    return Span(_midnight(at).replace(year=year, month=month, day=1), Unit.SEASON)


def year_span(at: datetime, year: int) -> Span:
    """Return a year. Raise ValueError outside 1 to 9999."""
    return Span(_midnight(at).replace(year=year, month=1, day=1), Unit.YEAR)


def counted_span(at: datetime, count: int, unit: Unit) -> Span:
    """Return the day, week, month or year that is `count` units after that of `at`."""
    named = {
        Unit.DAY: day_span,
        Unit.WEEK: week_span,
        Unit.MONTH: month_span,
        Unit.YEAR: lambda at, count: year_span(at, shift_months(at, 12 * count).year),
    }[unit](at, count)
    return Span(named.start, unit, _midnight(at) + timedelta(days=count * _DAYS[unit]))


def date_span(at: datetime, year: int, month: int, day: int | None) -> Span:
    """Return a day, or a month if no day is given. Raise ValueError if there is none."""
    if day is None:
        return month_span(at.replace(year=year, month=month, day=1))
    return day_span(at.replace(year=year, month=month, day=day))


def shift_months(at: datetime, months: int) -> datetime:
    """Return the time so many months later, with its day kept within the month.

    Raises:
        ValueError: If the result is outside the calendar.
    """
    count = at.year * 12 + at.month - 1 + months
    in_year, in_month = divmod(count, 12)
    if not MINYEAR <= in_year <= MAXYEAR:
        raise ValueError(f"year {in_year} is out of range")
    last = calendar.monthrange(in_year, in_month + 1)[1]
    return at.replace(year=in_year, month=in_month + 1, day=min(at.day, last))
