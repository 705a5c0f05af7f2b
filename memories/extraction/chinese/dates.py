"""Chinese time expressions: 昨天, 上周三, 去年三月, 2019年3月5日, 三年前."""

from __future__ import annotations

import re
from datetime import datetime
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
from memories.text import WEEKDAYS_ZH

_DIGITS: Final = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "〇": 0,
    "几": 3,
}
_NUMBER: Final = r"(?:\d{1,4}|[零〇一二两三四五六七八九十]{1,4})"
_DAYS: Final = {**WEEKDAYS_ZH, "末": 5}
_YEARS: Final = {"前年": -2, "去年": -1, "上一年": -1, "今年": 0, "明年": 1, "后年": 2}
_ADJACENT_DAYS: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "今天": 0, "今晚": 0, "今早": 0, "明天": 1, "明晚": 1,
    "明早": 1,
    "后天": 2, "大后天": 3,
}  # fmt: skip
_SEASONS: Final = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_STEPS: Final = {"上": -1, "这": 0, "本": 0, "下": 1}


def parse_number(text: str) -> int:
    """Parse a number below ten thousand in digits or Chinese: 12, 十二, 两, 二〇一九.

    Of a range of two numbers, such as 十五六, the lower one counts.

    Raises:
        ValueError: If it is not a number.
    """
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.partition("十")
    if not ten:
        return int("".join(str(_digit(character)) for character in text))
    return 10 * (_digit(tens) if tens else 1) + (_digit(ones[0]) if ones else 0)


def _digit(character: str) -> int:
    if character not in _DIGITS:
        raise ValueError(f"{character} is not a numeral")
    return _DIGITS[character]


def _date(match: re.Match[str], now: Moment) -> Span:
    named = match.groupdict()
    said = named.get("year") or ""
    in_month = parse_number(named["month"]) if named.get("month") else None
    if said in _YEARS:
        in_year = now.at.year + _YEARS[said]
    elif said:
        in_year = parse_number(said)
    else:
        in_year = _nearest_year(now.at, in_month or now.at.month, now.lean)
    if in_month is None:
        return year(now.at, in_year)
    if named.get("day"):
        return day(now.at.replace(year=in_year, month=in_month, day=parse_number(named["day"])))
    return month(now.at.replace(year=in_year, month=in_month, day=1))


def _nearest_year(at: datetime, in_month: int, lean: Lean) -> int:
    if lean is Lean.AHEAD:
        return at.year + (in_month < at.month)
    return at.year - (in_month > at.month)


def _season(match: re.Match[str], now: Moment) -> Span:
    said = match.group("year")
    in_year = now.at.year + _YEARS[said] if said in _YEARS else parse_number(said)
    return season(now.at, _SEASONS[match.group("season")], in_year)


def _adjacent_day(match: re.Match[str], now: Moment) -> Span:
    return day(now.at, _ADJACENT_DAYS[match.group()])


def _weekday(match: re.Match[str], now: Moment) -> Span:
    steps = _STEPS.get(match.group("which")[:1], 0) * len(match.group("which").replace("个", ""))
    monday = week(now.at, steps)
    return day(monday.start, _DAYS[match.group("weekday")]) if match.group("weekday") else monday


def _adjacent_month(match: re.Match[str], now: Moment) -> Span:
    return month(now.at, _STEPS[match.group("which")[:1]] * len(match.group("which").replace("个", "")))


def _end_of(match: re.Match[str], now: Moment) -> Span:
    in_year = now.at.year + _YEARS[(match.group("year") or "今") + "年"]
    return month(now.at.replace(year=in_year, month=1 if match.group("part") == "初" else 12, day=1))


def _ago(match: re.Match[str], now: Moment) -> Span:
    return _away(match, now.at, -1)


def _ahead(match: re.Match[str], now: Moment) -> Span:
    return _away(match, now.at, 1)


def _away(match: re.Match[str], at: datetime, sign: int) -> Span:
    unit = match.group("unit")[-1]
    if match.group("count") == "半":
        return month(at, sign * 6) if unit == "年" else day(at, sign * 15)
    count = sign * parse_number(match.group("count"))
    if unit == "天":
        return day(at, count)
    if unit in "周期拜":
        return week(at, count)
    return month(at, count) if unit == "月" else year(at, shifted(at, months_on=12 * count).year)


def _rule(pattern: str, resolve: Resolver, *, relative: bool, bare: bool = False) -> TimeRule:
    return TimeRule(re.compile(pattern), resolve, relative, bare)


_CALENDAR_YEAR: Final = r"(?<!\d)(?P<year>(?:19|20)\d\d|[一二][零〇九][零〇一二三四五六七八九]{2})\s?年"
_SPOKEN_YEAR: Final = r"(?P<year>前年|去年|今年|明年|后年)"
_MONTH: Final = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月(?:份)?"
_DAY: Final = r"(?P<day>[0-3]?\d|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日号]"
_COUNT: Final = rf"(?P<count>半|{_NUMBER})"

RULES: Final = (
    _rule(
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>[01]?\d)[-/.](?P<day>[0-3]?\d)(?!\d)",
        _date,
        relative=False,
    ),
    _rule(rf"{_CALENDAR_YEAR}{_MONTH}{_DAY}", _date, relative=False),
    _rule(rf"{_CALENDAR_YEAR}{_MONTH}", _date, relative=False),
    _rule(r"(?<!\d)(?P<year>(?:19|20)\d\d)年(?P<season>[春夏秋冬])天?", _season, relative=False),
    _rule(rf"{_SPOKEN_YEAR}的?{_MONTH}{_DAY}", _date, relative=True),
    _rule(rf"{_SPOKEN_YEAR}的?{_MONTH}", _date, relative=True),
    _rule(rf"{_SPOKEN_YEAR}(?P<season>[春夏秋冬])[天季]?", _season, relative=True),
    _rule(r"(?P<year>[去今明后前])?年(?P<part>[初底末])", _end_of, relative=True),
    _rule(_CALENDAR_YEAR, _date, relative=False),
    _rule("|".join(sorted(_ADJACENT_DAYS, key=len, reverse=True)), _adjacent_day, relative=True),
    _rule(
        r"(?P<which>上{1,2}|下{1,2}|这|本)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])?(?!年)",
        _weekday,
        relative=True,
    ),
    _rule(r"(?P<which>上{1,2}|下{1,2}|这|本)个?月", _adjacent_month, relative=True),
    _rule(rf"{_COUNT}(?P<unit>天|周|个?星期|个?礼拜|个?月|年)(?:以|之)?前", _ago, relative=True),
    _rule(rf"{_COUNT}(?P<unit>天|周|个?星期|个?礼拜|个?月|年)(?:以|之)?后", _ahead, relative=True),
    _rule(rf"{_MONTH}{_DAY}", _date, relative=False, bare=True),
    _rule(
        r"(?:前年|去年|今年|明年|后年)",
        lambda match, now: year(now.at, now.at.year + _YEARS[match.group()]),
        relative=True,
    ),
    _rule(rf"{_MONTH}(?:[初底末]|[上中下]旬)?(?!\d)", _date, relative=True, bare=True),
)
