"""Chinese time expressions: 昨天, 上周三, 去年三月, 2019年3月5日, 三年前."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from memories.text.dates.mentions import Moment, Resolver, TimeRule
from memories.text.dates.names import SEASONS_ZH, WEEKDAYS_ZH, parse_chinese_number
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

_NUMBER: Final = r"(?:(?<!\d)\d{1,4}|[零〇一二两三四五六七八九十]{1,4})"
_YEARS: Final = {"前年": -2, "去年": -1, "上一年": -1, "今年": 0, "明年": 1, "后年": 2}
_ADJACENT_DAYS: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "今天": 0, "今晚": 0, "今早": 0, "明天": 1, "明晚": 1,
    "明早": 1,
    "后天": 2, "大后天": 3,
}  # fmt: skip
_STEPS: Final = {"上": -1, "这": 0, "本": 0, "下": 1}
#: Last character of a unit.
_UNITS: Final = {
    "天": Unit.DAY, "周": Unit.WEEK, "期": Unit.WEEK, "拜": Unit.WEEK, "月": Unit.MONTH, "年": Unit.YEAR,
}  # fmt: skip


def _date(match: re.Match[str], now: Moment) -> Span:
    named = match.groupdict()
    month = parse_chinese_number(named["month"]) if named.get("month") else None
    day = parse_chinese_number(named["day"]) if named.get("day") else None
    year = _year(named["year"], now.at) if named.get("year") else now.nearest_year(month or 1, day)
    return date_span(now.at, year, month, day) if month else year_span(now.at, year)


def _year(written: str, at: datetime) -> int:
    return at.year + _YEARS[written] if written in _YEARS else parse_chinese_number(written)


def _season(match: re.Match[str], now: Moment) -> Span:
    month, written = SEASONS_ZH[match["season"]], match.groupdict().get("year")
    return season_span(now.at, month, _year(written, now.at) if written else now.nearest_year(month))


def _adjacent_day(match: re.Match[str], now: Moment) -> Span:
    return day_span(now.at, _ADJACENT_DAYS[match.group()])


def _adjacent_week(match: re.Match[str], now: Moment) -> Span:
    steps, weekday = _steps(match), match["weekday"]
    if weekday == "末":
        return weekend_span(now.at, steps)
    monday = week_span(now.at, steps)
    return day_span(monday.start, WEEKDAYS_ZH[weekday], Unit.WEEKDAY) if weekday else monday


def _adjacent_month(match: re.Match[str], now: Moment) -> Span:
    return month_span(now.at, _steps(match))


def _steps(match: re.Match[str]) -> int:
    return _STEPS[match["which"][0]] * len(match["which"])


def _end_of(match: re.Match[str], now: Moment) -> Span:
    year = _year((match["year"] or "今") + "年", now.at)
    return date_span(now.at, year, 1 if match["part"] == "初" else 12, None)


def _away(match: re.Match[str], now: Moment) -> Span:
    at, unit, sign = now.at, match["unit"][-1], -1 if match["way"] == "前" else 1
    if match["count"] == "半":
        return (
            counted_span(at, sign * 6, Unit.MONTH) if unit == "年" else counted_span(at, sign * 15, Unit.DAY)
        )
    return counted_span(at, sign * parse_chinese_number(match["count"]), _UNITS[unit])


def _rule(pattern: str, resolve: Resolver, *, relative: bool, bare: bool = False) -> TimeRule:
    return TimeRule(re.compile(pattern), resolve, relative, bare)


_CALENDAR_YEAR: Final = r"(?<!\d)(?P<year>(?:19|20)\d\d|[一二][零〇九][零〇一二三四五六七八九]{2})\s?年"
_SPOKEN_YEAR: Final = r"(?P<year>前年|去年|今年|明年|后年)"
_MONTH: Final = r"(?P<month>(?<!\d)(?:1[0-2]|0?[1-9])|十[一二]?|[一二三四五六七八九])\s?月(?:份)?"
_DAY: Final = r"(?P<day>[0-3]?\d|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日号]"
_COUNT: Final = rf"(?P<count>半|{_NUMBER})"

CHINESE_RULES: Final = (
    _rule(
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>[01]?\d)[-/.](?P<day>[0-3]?\d)(?!\d)",
        _date,
        relative=False,
    ),
    _rule(rf"{_CALENDAR_YEAR}{_MONTH}{_DAY}", _date, relative=False),
    _rule(rf"{_CALENDAR_YEAR}{_MONTH}", _date, relative=False),
    _rule(r"(?<!\d)(?P<year>(?:19|20)\d\d)年的?(?P<season>[春夏秋冬])[天季]?", _season, relative=False),
    _rule(rf"{_SPOKEN_YEAR}的?{_MONTH}{_DAY}", _date, relative=True),
    _rule(rf"{_SPOKEN_YEAR}的?{_MONTH}", _date, relative=True),
    _rule(rf"{_SPOKEN_YEAR}的?(?P<season>[春夏秋冬])[天季]?", _season, relative=True),
    _rule(r"(?P<year>[去今明后前])?年(?P<part>[初底末])", _end_of, relative=True),
    _rule(_CALENDAR_YEAR, _date, relative=False),
    _rule("|".join(sorted(_ADJACENT_DAYS, key=len, reverse=True)), _adjacent_day, relative=True),
    _rule(
        r"(?P<which>上{1,2}|下{1,2}|这|本)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])?(?!年)",
        _adjacent_week,
        relative=True,
    ),
    _rule(r"(?P<which>上{1,2}|下{1,2}|这|本)个?月", _adjacent_month, relative=True),
    _rule(rf"{_COUNT}(?P<unit>天|周|个?星期|个?礼拜|个?月|年)[以之]?(?P<way>[前后])", _away, relative=True),
    _rule(rf"{_MONTH}{_DAY}", _date, relative=False, bare=True),
    _rule(_SPOKEN_YEAR, _date, relative=True),
    _rule(rf"{_MONTH}(?:[初底末]|[上中下]旬)?(?!\d)", _date, relative=True, bare=True),
)
#: Times in a query, where there is little text that could mean something else.
LONE_RULES: Final = (_rule(r"(?P<season>[春夏秋冬])[天季]", _season, relative=False, bare=True),)
