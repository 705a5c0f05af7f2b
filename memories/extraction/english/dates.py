"""English time expressions: "last March", "3 May 2020", "two weeks ago", "since 2015"."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from memories.extraction.prose import (
    Lean,
    Moment,
    Resolver,
    Span,
    TimeRule,
    day,
    month,
    season,
    shifted,
    week,
    year,
)
from memories.text import MONTHS, WEEKDAYS

NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "a couple of": 2,
    "couple of": 2,
}  # fmt: skip
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY: Final = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_COUNT: Final = (
    r"(?P<count>\d{1,3}|a couple of|couple of|an?|one|two|three|four|five|six|seven|eight|nine"
    r"|ten|eleven|twelve|fifteen|twenty|thirty)"
)
_UNIT: Final = r"(?P<unit>day|week|month|year|decade)s?"
_WHICH: Final = r"(?P<which>last|this|next|coming|this past|this coming)"
_STEP: Final = {"last": -1, "this past": -1, "this": 0, "next": 1, "coming": 1, "this coming": 1}


def _exact(match: re.Match[str], now: Moment) -> Span:
    named = match.groupdict()
    number = MONTHS[named["month"].lower()] if not named["month"].isdigit() else int(named["month"])
    in_year = int(named["year"]) if named.get("year") else _nearest_year(now.at, number, now.lean)
    if not named.get("day"):
        return month(now.at.replace(year=in_year, month=number, day=1))
    return day(now.at.replace(year=in_year, month=number, day=int(named["day"])))


def _nearest_year(at: datetime, number: int, lean: Lean) -> int:
    if lean is Lean.AHEAD:
        return at.year + (number < at.month)
    return at.year - (number > at.month)


def _named_month(match: re.Match[str], now: Moment) -> Span:
    number = MONTHS[match.group("month").lower()]
    step = _STEP[match.group("which").lower()]
    if step == 0:
        return month(now.at.replace(month=number, day=1))
    in_year = now.at.year - (number >= now.at.month) if step < 0 else now.at.year + (number <= now.at.month)
    return month(now.at.replace(year=in_year, month=number, day=1))


def _named_day(match: re.Match[str], now: Moment) -> Span:
    number = WEEKDAYS[match.group("weekday").lower()]
    which = (match.groupdict().get("which") or "").lower()
    if which in {"last", "this past"} or (not which and now.lean is Lean.PAST):
        return day(now.at, -((now.at.weekday() - number - 1) % 7 + 1))
    if which == "this":
        return day(now.at, number - now.at.weekday())
    return day(now.at, (number - now.at.weekday() - 1) % 7 + 1)


def _adjacent_unit(match: re.Match[str], now: Moment) -> Span:
    step = _STEP[match.group("which").lower()]
    return {"week": week, "weekend": _weekend, "month": month}.get(match.group("unit").lower(), _years_on)(
        now.at, step
    )


def _weekend(at: datetime, offset: int = 0) -> Span:
    return day(at, 7 * offset + 5 - at.weekday())


def _years_on(at: datetime, offset: int = 0) -> Span:
    return year(at, at.year + offset)


def _adjacent_season(match: re.Match[str], now: Moment) -> Span:
    name = match.group("season").lower()
    step = _STEP[match.group("which").lower()]
    this = season(now.at, name, now.at.year)
    if step < 0:
        return this if this.start < now.at - timedelta(days=90) else season(now.at, name, now.at.year - 1)
    if step > 0:
        return this if this.start > now.at else season(now.at, name, now.at.year + 1)
    return this


def _ago(match: re.Match[str], now: Moment) -> Span:
    return _away(match, now.at, -1)


def _ahead(match: re.Match[str], now: Moment) -> Span | None:
    # "in two years" is a duration in "I learned it in two years".
    return _away(match, now.at, 1) if now.lean is Lean.AHEAD else None


def _away(match: re.Match[str], at: datetime, sign: int) -> Span:
    said = match.group("count").lower()
    count = sign * (int(said) if said.isdigit() else NUMBERS[said])
    unit = match.group("unit").lower()
    if unit == "day":
        return day(at, count)
    if unit == "week":
        return week(at, count)
    if unit == "month":
        return month(at, count)
    return year(at, shifted(at, months_on=count * (120 if unit == "decade" else 12)).year)


def _adjacent_day(match: re.Match[str], now: Moment) -> Span:
    offsets = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "last night": -1}
    return day(now.at, offsets.get(" ".join(match.group().lower().split()), 0))


def _year_alone(match: re.Match[str], now: Moment) -> Span:
    return year(now.at, int(match.group("year")))


def _season_of_year(match: re.Match[str], now: Moment) -> Span:
    return season(now.at, match.group("season").lower(), int(match.group("year")))


def _rule(pattern: str, resolve: Resolver, *, relative: bool, bare: bool = False) -> TimeRule:
    return TimeRule(re.compile(rf"\b{pattern}\b", re.IGNORECASE), resolve, relative, bare)


RULES: Final = (
    _rule(rf"{_YEAR}-(?P<month>[01]?\d)-(?P<day>[0-3]?\d)", _exact, relative=False),
    _rule(rf"{_DAY}(?: of)? {_MONTH},? {_YEAR}", _exact, relative=False),
    _rule(rf"{_MONTH} {_DAY},? {_YEAR}", _exact, relative=False),
    _rule(rf"{_MONTH},? (?:of )?{_YEAR}", _exact, relative=False),
    _rule(rf"(?P<season>spring|summer|autumn|fall|winter) (?:of )?{_YEAR}", _season_of_year, relative=False),
    _rule(r"(?:day before yesterday)", lambda _match, now: day(now.at, -2), relative=True),
    _rule(r"(?:day after tomorrow)", lambda _match, now: day(now.at, 2), relative=True),
    _rule(r"(?:yesterday|today|tonight|tomorrow|last night)", _adjacent_day, relative=True),
    _rule(rf"{_COUNT} {_UNIT} ago", _ago, relative=True),
    _rule(rf"in (?:about )?{_COUNT} {_UNIT}(?:' time|'s time)?", _ahead, relative=True),
    _rule(rf"{_WHICH} {_MONTH}", _named_month, relative=True),
    _rule(rf"{_WHICH} (?P<season>spring|summer|autumn|fall|winter)", _adjacent_season, relative=True),
    _rule(rf"{_WHICH} (?P<weekday>{'|'.join(WEEKDAYS)})", _named_day, relative=True),
    _rule(rf"{_WHICH} (?P<unit>week(?:end)?|month|year)", _adjacent_unit, relative=True),
    _rule(
        rf"(?:on|by|until|before|since|due) (?P<weekday>{'|'.join(WEEKDAYS)})",
        _named_day,
        relative=True,
        bare=True,
    ),
    _rule(rf"{_DAY}(?: of)? {_MONTH}", _exact, relative=False, bare=True),
    _rule(rf"{_MONTH} {_DAY}(?!\d|:)", _exact, relative=False, bare=True),
    _rule(
        r"(?:in|by|since|until|before|from|of|during|early|late|mid|end of) (?:early |late |mid-?"
        rf"|the end of )?{_MONTH}",
        _exact,
        relative=True,
        bare=True,
    ),
    _rule(
        rf"(?:in|by|since|until|before|from|of|during|early|late|mid|around|about|year) {_YEAR}",
        _year_alone,
        relative=False,
    ),
)
