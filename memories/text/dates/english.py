"""English time expressions: "last March", "3 May 2020", "two weeks ago", "since 2015"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from memories.text.dates.mentions import Lean, Moment, Resolver, TimeRule
from memories.text.dates.names import MONTHS, NUMBER_WORDS, SEASONS, WEEKDAYS, match_any
from memories.text.dates.spans import (
    Span,
    Unit,
    counted_span,
    date_span,
    day_span,
    month_span,
    season_span,
    week_span,
    weekend_span,
    year_span,
)

_MONTH: Final = rf"(?P<month>{match_any(MONTHS)})\.?"
_DAY: Final = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_SEASON: Final = rf"(?P<season>{match_any(SEASONS)})"
_WEEKDAY: Final = rf"(?P<weekday>{match_any(WEEKDAYS)})"
_COUNT: Final = rf"(?P<count>\d{{1,3}}|{match_any(NUMBER_WORDS)})"
_UNIT: Final = r"(?P<unit>day|week|month|year|decade)s?"
_STEP: Final = {
    "last": -1, "this past": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1,
    "this coming": 1,
}  # fmt: skip
_ADJACENT_DAYS: Final = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0,
    "this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip
_WINTER: Final = SEASONS["winter"]
#: Counts that are read in a query only; a memory must not be given an exact date for "a few years ago".
_VAGUE_COUNTS: Final = {"a few": 3, "several": 4}


def _exact(match: re.Match[str], now: Moment) -> Span:
    named = match.groupdict()
    month = MONTHS.get(named["month"]) or int(named["month"])
    day = int(named["day"]) if named.get("day") else None
    year = int(named["year"]) if named.get("year") else now.nearest_year(month, day)
    return date_span(now.at, year, month, day)


def _step(match: re.Match[str]) -> int:
    return _STEP[match["which"]]


def _named_month(match: re.Match[str], now: Moment) -> Span:
    month, step = MONTHS[match["month"]], _step(match)
    past, ahead = step < 0 and month >= now.at.month, step > 0 and month <= now.at.month
    return date_span(now.at, now.at.year - past + ahead, month, None)


def _named_day(match: re.Match[str], now: Moment) -> Span:
    offset = WEEKDAYS[match["weekday"]] - now.at.weekday()
    step = _step(match) if "which" in match.groupdict() else {Lean.PAST: -1, Lean.AHEAD: 1}[now.lean]
    if step < 0:
        offset = -(-offset % 7 or 7)
    elif step > 0:
        offset = offset % 7 or 7
    return day_span(now.at, offset, Unit.WEEKDAY)


def _adjacent_unit(match: re.Match[str], now: Moment) -> Span:
    return _ADJACENT[match["unit"]](now.at, _step(match))


_ADJACENT: Final[Mapping[str, Callable[[datetime, int], Span]]] = {
    "week": week_span,
    "weekend": weekend_span,
    "month": month_span,
    "year": lambda at, step: year_span(at, at.year + step),
}


def _adjacent_season(match: re.Match[str], now: Moment) -> Span:
    step = _step(match)
    this = season_span(now.at, SEASONS[match["season"]], now.at.year)
    if step < 0:
        years = -(this.start >= now.at - timedelta(days=90))
    elif step > 0:
        years = int(this.start <= now.at)
    else:  # until autumn, "this winter" is the one that is over
        years = -(this.start.month == _WINTER and now.at.month < (9 if now.lean is Lean.PAST else 3))
    return season_span(now.at, this.start.month, now.at.year + years)


def _lone_season(match: re.Match[str], now: Moment) -> Span:
    month = SEASONS[match["season"]]
    return season_span(now.at, month, now.nearest_year(month))


def _ago(match: re.Match[str], now: Moment) -> Span:
    return _away(match, now.at, -1)


def _ahead(match: re.Match[str], now: Moment) -> Span | None:
    # "in two years" is a duration in "I learned it in two years".
    return _away(match, now.at, 1) if now.lean is Lean.AHEAD else None


def _away(match: re.Match[str], at: datetime, sign: int) -> Span:
    written, unit = match["count"], match["unit"]
    count = sign * (int(written) if written.isdigit() else (NUMBER_WORDS | _VAGUE_COUNTS)[written])
    if unit == "decade":
        return counted_span(at, 10 * count, Unit.YEAR)
    return counted_span(at, count, Unit(unit))


def _adjacent_day(match: re.Match[str], now: Moment) -> Span:
    return day_span(now.at, _ADJACENT_DAYS[match.group()])


def _year_alone(match: re.Match[str], now: Moment) -> Span:
    return year_span(now.at, int(match["year"]))


def _season_of_year(match: re.Match[str], now: Moment) -> Span:
    return season_span(now.at, SEASONS[match["season"]], int(match["year"]))


def _rule(pattern: str, resolve: Resolver, *, relative: bool, bare: bool = False) -> TimeRule:
    return TimeRule(re.compile(rf"\b{pattern}\b"), resolve, relative, bare)


def _adjacent_rules(which: str) -> Iterator[TimeRule]:
    which = rf"(?P<which>{which})"
    yield _rule(rf"{which} {_MONTH}", _named_month, relative=True)
    yield _rule(rf"{which} {_SEASON}", _adjacent_season, relative=True)
    yield _rule(rf"{which} {_WEEKDAY}", _named_day, relative=True)
    yield _rule(rf"{which} (?P<unit>week(?:end)?|month|year)", _adjacent_unit, relative=True)


ENGLISH_RULES: Final = (
    _rule(rf"{_YEAR}-(?P<month>[01]?\d)-(?P<day>[0-3]?\d)", _exact, relative=False),
    _rule(rf"{_DAY},?(?: of)? {_MONTH},? {_YEAR}", _exact, relative=False),
    _rule(rf"{_MONTH} {_DAY},? {_YEAR}", _exact, relative=False),
    _rule(rf"{_MONTH},? (?:of )?{_YEAR}", _exact, relative=False),
    _rule(rf"{_SEASON},? (?:of )?{_YEAR}", _season_of_year, relative=False),
    _rule(match_any(_ADJACENT_DAYS), _adjacent_day, relative=True),
    _rule(rf"{_COUNT} {_UNIT} ago", _ago, relative=True),
    _rule(rf"in (?:about )?{_COUNT} {_UNIT}(?:' time|'s time)?", _ahead, relative=True),
    *_adjacent_rules("last|this|next|coming|this past|this coming"),
    _rule(rf"(?:on|by|until|before|since|due) {_WEEKDAY}", _named_day, relative=True, bare=True),
    _rule(rf"{_DAY},?(?: of)? {_MONTH}", _exact, relative=False, bare=True),
    _rule(rf"{_MONTH} {_DAY}(?!\d|:)", _exact, relative=False, bare=True),
    _rule(
        r"(?:in|by|since|until|before|from|of|during|around|early|late|mid|end of) (?:early |late |mid-?"
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
#: Times in a query, where there is little text that could mean something else.
LONE_RULES: Final = (
    _rule(rf"(?P<count>{match_any(_VAGUE_COUNTS)}) {_UNIT} ago", _ago, relative=True),
    *_adjacent_rules("past|previous"),
    _rule(
        rf"(?P<month>{match_any(MONTHS.keys() - {'may', 'march', 'mar'})})", _exact, relative=False, bare=True
    ),
    _rule(_SEASON, _lone_season, relative=False, bare=True),
    _rule(rf"(?<![\d.]){_YEAR}(?![\d.])", _year_alone, relative=False),
)
