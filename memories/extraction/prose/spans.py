"""Calendar spans: days, weeks, months, seasons and years, with their English and Chinese names."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime, timedelta

_SEASON_START = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time from `start`, as long as `unit`: day, week, month, season or year."""

    start: datetime
    unit: str

    def in_english(self) -> str:
        """Return the name of the span: "20 November 2025", "November 2025", "spring 2026", "2025"."""
        if self.unit == "year":
            return f"{self.start.year}"
        if self.unit == "season":
            return f"{_season_name(self.start.month)} {self.start.year}"
        month_name = f"{calendar.month_name[self.start.month]} {self.start.year}"
        if self.unit == "month":
            return month_name
        return f"{'week of ' if self.unit == 'week' else ''}{self.start.day} {month_name}"

    def in_chinese(self) -> str:
        """Return the name of the span: 2025年11月20日, 2025年11月, 2026年春, 2025年."""
        named = f"{self.start.year}年"
        if self.unit == "year":
            return named
        if self.unit == "season":
            return named + {3: "春", 6: "夏", 9: "秋", 12: "冬"}[self.start.month]
        named += f"{self.start.month}月"
        if self.unit == "month":
            return named
        return f"{named}{self.start.day}日{'那周' if self.unit == 'week' else ''}"


def _season_name(month_number: int) -> str:
    return {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}[month_number]


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def day(at: datetime, offset: int = 0) -> Span:
    """Return the day `offset` days after that of `at`."""
    return Span(_midnight(at) + timedelta(days=offset), "day")


def week(at: datetime, offset: int = 0) -> Span:
    """Return the week `offset` weeks after that of `at`. Weeks start on Monday."""
    return Span(_midnight(at) + timedelta(days=7 * offset - at.weekday()), "week")


def month(at: datetime, offset: int = 0) -> Span:
    """Return the month `offset` months after that of `at`."""
    return Span(_midnight(shifted(at.replace(day=1), months_on=offset)), "month")


def season(at: datetime, name: str, in_year: int) -> Span:
    """Return a season of a year. Winter is the one that begins in December of that year."""
    return Span(_midnight(at).replace(year=in_year, month=_SEASON_START[name], day=1), "season")


def year(at: datetime, number: int) -> Span:
    """Return a year. Raise ValueError outside 1 to 9999."""
    return Span(_midnight(at).replace(year=number, month=1, day=1), "year")


def shifted(at: datetime, *, months_on: int) -> datetime:
    """Return the time so many months later, with its day kept within the month.

    Raises:
        ValueError: If the result is outside the calendar.
    """
    count = at.year * 12 + at.month - 1 + months_on
    in_year, in_month = divmod(count, 12)
    if not MINYEAR <= in_year <= MAXYEAR:
        raise ValueError(f"year {in_year} is out of range")
    last = calendar.monthrange(in_year, in_month + 1)[1]
    return at.replace(year=in_year, month=in_month + 1, day=min(at.day, last))
