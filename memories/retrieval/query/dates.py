"""Find the times that a query mentions: days, months, seasons and years, absolute or relative."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from memories.retrieval.query.windows import DAY, TimeWindow
from memories.text import MONTHS, WEEKDAYS, WEEKDAYS_ZH

_DAY_TAILS: Final = (2 * DAY, 7 * DAY)  # events are mentioned after they happen more often than before
_MONTH_TAILS: Final = (1 * DAY, 7 * DAY)
_LEAST_MONTH: Final = 28 * DAY
_MONTH_SLACK: Final = 3 * DAY  # a window of a month has 30.4 days, whatever the month
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d\d(?![\d.])")
_YEAR_WEIGHT: Final = 0.5  # a year is less specific than a month

_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SEASONS_ZH: Final = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_COUNTED: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMERALS: Final = {
    "a": 1, "an": 1, "a few": 3, "a couple of": 2, "several": 4, "两": 2, "几": 3,
    **{word: value for value, word in enumerate(_COUNTED, 1)},
    **{digit: value for value, digit in enumerate("一二三四五六七八九十", 1)},
}  # fmt: skip
_SPANS: Final = {
    "day": 1,
    "week": 7,
    "month": 30,
    "year": 365,
    "天": 1,
    "周": 7,
    "星期": 7,
    "个月": 30,
    "年": 365,
}


def find_time_windows(text: str, now: datetime) -> tuple[TimeWindow, ...]:
    """Return the time windows that a text mentions.

    Only windows of the most exact kind found are returned: days and "… ago" first, then months of a year and
    this or last week, then bare months and seasons, then years.

    Args:
        text: The text, in English or Chinese.
        now: Aware time from which relative dates are counted.
    """
    lower = text.lower()
    for find in _FINDERS:
        found = tuple(window for match, read in _matches(find, lower) for window in read(match, now))
        if found:
            return found
    return ()


def years_in(text: str, windows: Iterable[TimeWindow], now: datetime) -> frozenset[int]:
    """Return the years that a text asks about; empty if it names none.

    These are the years as written, and those of past windows of at least a month, such as 去年 or "last
    March". A month without a year and a single past day name none.

    Args:
        text: The text.
        windows: Its time windows.
        now: Aware time from which the windows were counted.
    """
    named = {int(year) for year in _YEAR.findall(text)}
    for window in windows:
        is_past = window.end - _MONTH_SLACK <= now.timestamp()
        if is_past and window.end - window.start >= _LEAST_MONTH and not window.yearly:
            first, last = (
                datetime.fromtimestamp(moment, tz=now.tzinfo).year
                for moment in (window.start, window.end - _MONTH_SLACK)
            )
            named |= set(range(first, last + 1))
    return frozenset(named)


_Reader = Callable[[re.Match[str], datetime], Iterator[TimeWindow]]


def _matches(
    finder: tuple[tuple[re.Pattern[str], _Reader], ...], text: str
) -> Iterator[tuple[re.Match[str], _Reader]]:
    for pattern, read in finder:
        for match in pattern.finditer(text):
            yield match, read


def _stretch(
    start: datetime, days: float, tails: tuple[float, float], **more: float | bool
) -> Iterator[TimeWindow]:
    begin = start.timestamp()
    yield TimeWindow(
        begin,
        begin + days * DAY,
        tails,
        weight=float(more.get("weight", 1.0)),
        yearly=bool(more.get("yearly")),
    )


def _midnight(now: datetime, days: float = 0) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=days)


def _date(now: datetime, year: int, month: int, day: int = 1) -> datetime | None:
    try:
        return _midnight(now).replace(year=year, month=month, day=day)
    except ValueError:
        return None


def _day(now: datetime, year: str | None, month: int, day: str) -> Iterator[TimeWindow]:
    start = _date(now, int(year) if year else 2000, month, int(day))
    if start:
        yield from _stretch(start, 1, _DAY_TAILS, yearly=not year)


def _month(now: datetime, year: int | None, month: int, months: int = 1) -> Iterator[TimeWindow]:
    start = _date(now, year or 2000, month)
    if start:
        yield from _stretch(start, 30.4 * months, _MONTH_TAILS, yearly=year is None)


def _year(now: datetime, year: int) -> Iterator[TimeWindow]:
    start = _date(now, year, 1)
    if start:
        yield from _stretch(start, 365, _MONTH_TAILS, weight=_YEAR_WEIGHT)


def _latest(now: datetime, month: int) -> int:
    """Return the year in which the given month last began."""
    return now.year if month <= now.month else now.year - 1


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMERALS.get(text, 1)


_MONTH_NAME: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_MONTH_SURE: Final = "|".join(
    name for name in sorted(MONTHS, key=len, reverse=True) if name not in {"may", "march", "mar"}
)
_SEASON: Final = "|".join(_SEASONS)


def _read_day_first(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _day(now, match[3], MONTHS[match[2]], match[1])


def _read_month_first(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _day(now, match[3], MONTHS[match[1]], match[2])


def _read_numeric_day(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _day(now, match[1], int(match[2]), match[3]) if 1 <= int(match[2]) <= 12 else iter(())


def _read_named_day(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _stretch(_midnight(now, _NAMED_DAYS[match[0]]), 1, (DAY / 2, DAY / 2))


def _read_weekday(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    back = (now.weekday() - WEEKDAYS[match[2]]) % 7 or 7
    return _stretch(_midnight(now, -back), 1, (DAY, DAY))


def _read_weekday_zh(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    """Read 上周三: the Wednesday of the calendar week before, whatever today is."""
    weeks = {"上上": -2, "上": -1, "下": 1}.get(match[1].replace("个", ""), 0)
    return _stretch(_midnight(now, 7 * weeks + WEEKDAYS_ZH[match[2]] - now.weekday()), 1, (DAY, DAY))


def _read_ago(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    span = _SPANS[match[2]]
    try:
        start = _midnight(now, -_number(match[1]) * span) - timedelta(days=span / 2 if span > 1 else 0)
    except OverflowError:  # before the first year of the calendar
        return iter(())
    return _stretch(start, max(span, 1), (span * DAY, span * DAY))


def _read_month_of_year(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _month(now, int(match[2]), MONTHS[match[1]])


def _read_last_month(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    month = MONTHS[match[1]]
    year = _latest(now, month)
    return _month(now, year - (year == now.year and month == now.month), month)


def _read_bare_month(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _month(now, None, MONTHS[match[1]])


def _read_month_zh(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    month = int(match[2]) if match[2].isdigit() else _month_zh(match[2])
    if not 1 <= month <= 12:
        return iter(())
    return _month(now, _year_zh(match[1], now), month)


def _month_zh(text: str) -> int:
    return sum(_NUMERALS[character] for character in text)


def _year_zh(text: str | None, now: datetime) -> int | None:
    if not text:
        return None
    return int(text[:4]) if text[0].isdigit() else now.year + {"去": -1, "前": -2, "今": 0, "明": 1}[text[0]]


def _read_season(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    month, year = _SEASONS[match[2]], match[3]
    if year:
        return _month(now, int(year), month, 3)
    return _month(now, _latest(now, month) if match[1] in {"last", "this", "past"} else None, month, 3)


def _read_season_zh(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _month(now, _year_zh(match[1], now), _SEASONS_ZH[match[2]], 3)


def _read_span(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    """Read this or last week, weekend, month or year."""
    last = match[1].startswith(("last", "past", "previous", "上"))
    unit = match[2]
    if unit in {"week", "周", "星期", "礼拜", "weekend", "周末"}:
        start = _midnight(now, -now.weekday() - 7 * last)
        late = 5 if unit in {"weekend", "周末"} else 0
        return _stretch(start + timedelta(days=late), 7 - late, (DAY, DAY))
    if unit in {"month", "月", "个月"}:
        first = now.replace(day=1)
        month = (first - timedelta(days=1)) if last else first
        return _month(now, month.year, month.month)
    return _year(now, now.year - last)


def _read_year(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    return _year(now, int(match[0]))


def _read_year_zh(match: re.Match[str], now: datetime) -> Iterator[TimeWindow]:
    year = _year_zh(match[1], now)
    return _year(now, year) if year else iter(())


def _finder(*pairs: tuple[str, _Reader]) -> tuple[tuple[re.Pattern[str], _Reader], ...]:
    return tuple((re.compile(pattern), read) for pattern, read in pairs)


_YEAR_ZH: Final = r"((?:19|20)\d\d年|[去前今明]年)?的?"
_NAMED_DAYS: Final = {
    "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0, "tomorrow": 1,
    "昨天": -1, "昨晚": -1, "前天": -2, "今天": 0, "今早": 0, "今晚": 0, "明天": 1, "后天": 2,
}  # fmt: skip
_ANY_NAMED_DAY: Final = "|".join(rf"\b{day}\b" if day.isascii() else day for day in _NAMED_DAYS)
_ANY_NUMBER: Final = "|".join(["an?", *_COUNTED, "a few", "a couple of", "several"])
#: A count with more digits leaves the calendar. A longer number is read from its start only.
_DIGITS: Final = r"(?<!\d)\d{1,6}"
_ANY_WEEKDAY: Final = "|".join(WEEKDAYS)
_BEFORE_MONTH: Final = "in|during|of|early|late|mid|by|since|around|from|until|this"
_BEFORE_SEASON: Final = "last|this|past"
#: Most exact first. All patterns of a kind apply; a later kind applies only if the earlier ones find nothing.
_FINDERS: Final = (
    _finder(
        (rf"\b(\d{{1,2}})(?:st|nd|rd|th)?,? (?:of )?({_MONTH_NAME})\b(?:,? (\d{{4}}))?", _read_day_first),
        (rf"\b({_MONTH_NAME}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?(?!\d)", _read_month_first),
        (r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b", _read_numeric_day),
        (r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]", _read_numeric_day),
        (_ANY_NAMED_DAY, _read_named_day),
        (rf"\b(last|past|on) ({_ANY_WEEKDAY})\b", _read_weekday),
        (r"(上{1,2}个?|这个?|本|下个?)(?:周|星期|礼拜)([一二三四五六日天])", _read_weekday_zh),
        (rf"\b({_DIGITS}|{_ANY_NUMBER}) (day|week|month|year)s? ago\b", _read_ago),
        (rf"({_DIGITS}|[一二两三四五六七八九十几])(天|周|星期|个月|年)(?:以?前|之前)", _read_ago),
    ),
    _finder(
        (rf"\b({_MONTH_NAME}),? (?:of )?((?:19|20)\d\d)\b", _read_month_of_year),
        (rf"\b(?:last|this past) ({_MONTH_NAME})\b", _read_last_month),
        (rf"{_YEAR_ZH}(\d{{1,2}}|十?[一二三四五六七八九]|十)月(?!\d)", _read_month_zh),
        (r"\b(last|this|past|previous) (weekend|week|month|year)\b", _read_span),
        (r"(上个?|这个?|本)(周末|周|星期|礼拜|个?月)", _read_span),
    ),
    _finder(
        (rf"\b(?:{_BEFORE_MONTH}) ({_MONTH_NAME})\b", _read_bare_month),
        (rf"\b({_MONTH_SURE})\b", _read_bare_month),
        (rf"\b(?:({_BEFORE_SEASON}) )?({_SEASON})(?:,? (?:of )?((?:19|20)\d\d))?\b", _read_season),
        (rf"{_YEAR_ZH}([春夏秋冬])[天季]", _read_season_zh),
    ),
    _finder(
        (_YEAR.pattern, _read_year),
        (r"((?:去|前|今|明)年)", _read_year_zh),
    ),
)
