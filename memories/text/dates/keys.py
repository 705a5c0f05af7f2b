"""Keys of dates and times in a folded text: equal for equal times, whatever their spelling and language.

A key is not resolved against a calendar, because two texts are compared as written. The patterns match at one
place of a text; the tokeniser of the comparison tries them there.
"""

from __future__ import annotations

import re
from typing import Final

from memories.text.dates.names import MONTHS, WEEKDAY_NAMES, WEEKDAYS_ZH, match_any

_DAY_FORMS: Final = """
    mon monday mondays | tue tues tuesday tuesdays | wed wednesday wednesdays |
    thu thurs thursday thursdays | fri friday fridays | sat saturday saturdays | sun sunday sundays
"""
#: Weekday as written → its first three letters. `sat` and `sun` alone are other words.
WEEKDAY_KEYS: Final = {
    form: forms.split()[0]
    for forms in _DAY_FORMS.split("|")
    for form in forms.split()
    if form not in {"sat", "sun"}
}
_RELATIVE_FORMS: Final = """
    yesterday 昨天 | today 今天 | tomorrow 明天 | -2days 前天 | +2days 后天 | lastnight 昨晚 | tonight 今晚
    | tomorrownight 明晚 | last_year 去年 | this_year 今年 | next_year 明年 | -2years 前年 | +2years 后年
    | last_week 上周 上个周 | this_week 本周 这周 | next_week 下周 下个周 | last_month 上月 上个月
    | this_month 本月 这个月 | next_month 下月 下个月
"""
_RELATIVE_ZH: Final = {
    form: forms.split()[0].replace("_", " ")
    for forms in _RELATIVE_FORMS.split("|")
    for form in forms.split()[1:]
}
#: Part of the day → the hours it adds to a twelve-hour clock.
_HALF_DAYS: Final = {
    **dict.fromkeys(["凌晨", "清晨", "早上", "早晨", "上午"], 0),
    **dict.fromkeys(["中午", "下午", "傍晚", "晚上", "夜里", "今晚", "每晚", "半夜"], 12),
}

_MONTH: Final = match_any(MONTHS)
_YEAR: Final = r"(?:19|20)\d\d"

#: Patterns that start at a digit.
NUMERIC_DATE: Final = (
    r"\d{4}(?P<mark>[-/.])\d{1,2}(?P=mark)\d{1,2}(?:T\d{2}:\d{2}(?::\d{2})?Z?)?(?!\d)"
    r"|\d{1,2}(?P<sign>[/.])\d{1,2}(?P=sign)\d{4}(?![\d./])"
    rf"|{_YEAR}-(?:0[1-9]|1[0-2])(?![\d-])"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}\b(?:,?\s\d{{4}}\b)?"
    r"|\d{4}年(?:\d{1,2}月(?:份|\d{1,2}[日号]?)?)?|\d{1,2}月(?:份|\d{1,2}[日号]?)?"
    r"|\d{1,2}[日号](?![线楼店机码])"
)
NUMERIC_TIME: Final = (
    r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?![\d:])|\d{1,2}\s?[ap](?:m\b|\.m\.)|\d{1,2}\so['’]clock\b"
    r"|\d{1,2}(?:点(?!\d\.)|时(?!间))(?:半|[123]刻|\d{1,2}分?)?(?:钟|整)?"
)
#: Patterns that start at a word.
NAMED_DATE: Final = (
    rf"{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:\s?,\s?\d{{4}}|\s{_YEAR})?\b(?!:)"
    rf"|{_MONTH},?\s(?:of\s)?{_YEAR}\b"
)
RELATIVE: Final = (
    r"yesterday|today|tonight|tomorrow"
    r"|(?:last|next|this)\s(?:week|month|year|weekend|spring|summer|fall|autumn|winter)\b"
)
#: Patterns that start at a Chinese character.
ZH_DAY: Final = r"(?:周|星期|礼拜)[一二三四五六日天](?![次个场节本篇回趟遍顿])"
ZH_RELATIVE: Final = match_any(_RELATIVE_ZH)
ZH_TIME: Final = rf"(?:{'|'.join(_HALF_DAYS)})\d{{1,2}}(?:点|时|:)(?:半|[123]刻|\d{{1,2}}分?)?(?:钟|整)?"

_NUMBERS: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"[a-z]+")


def make_date_key(text: str) -> str:
    """Return the key of a date.

    Returns:
        `2024-03-05` with `*` for parts that are not given, the first letters of a weekday, or a relative date
        in English.
    """
    lower = text.lower().strip()
    if lower in _RELATIVE_ZH:
        return _RELATIVE_ZH[lower]
    if lower[0] in "周星礼":
        return WEEKDAY_NAMES[WEEKDAYS_ZH[lower[-1]]][:3]
    if lower[-1] in "年月日号份" or "月" in lower:
        return _chinese(lower)
    words = _WORD.findall(lower)
    month = next((MONTHS[word] for word in words if word in MONTHS), None)
    if month:
        return _named(lower, month)
    if words and "t" not in words:
        return " ".join(words)
    return _numeric(lower)


def _chinese(text: str) -> str:
    year, month, day = (re.search(rf"(\d+)(?:{mark})", text) for mark in ("年", "月", "[日号]|$"))
    return _key(year and year[1], month and month[1], day and day[1])


def _named(text: str, month: int) -> str:
    numbers = _NUMBERS.findall(text)
    years = [number for number in numbers if len(number) == 4]
    days = [number for number in numbers if len(number) < 4]
    return _key(years[0] if years else None, str(month), days[0] if days else None)


def _numeric(text: str) -> str:
    numbers = _NUMBERS.findall(text)
    if len(numbers[0]) == 4:
        return _key(*(numbers[:3] if len(numbers) > 2 else [*numbers, None]))
    first, second, year = (int(number) for number in numbers[:3])
    if first > 12:
        return _key(str(year), str(second), str(first))
    if second > 12 or first == second:
        return _key(str(year), str(first), str(second))
    return f"{first}/{second}/{year}"


def _key(year: str | None, month: str | None, day: str | None) -> str:
    return "-".join(part.lstrip("0").zfill(2) if part else "*" for part in (year, month, day))


def make_time_key(text: str) -> str:
    """Return the key of a time: `HH:MM` or `HH:MM:SS`, 24 hours. A bare hour is taken as written."""
    lower = text.lower()
    if lower in {"noon", "midday", "midnight"}:
        return "00:00" if lower == "midnight" else "12:00"
    numbers = [int(number) for number in _NUMBERS.findall(lower)]
    hour, minutes = numbers[0], numbers[1] if len(numbers) > 1 else 0
    if "刻" in lower:
        minutes *= 15
    elif "半" in lower[2:]:
        minutes = 30
    seconds = f":{numbers[2]:02}" if len(numbers) > 2 else ""
    return f"{_of_day(hour, lower):02}:{minutes:02}{seconds}"


def _of_day(hour: int, text: str) -> int:
    half = text[:2]
    if re.search(r"\dp|\sp", text) or (_HALF_DAYS.get(half) and half != "中午"):
        if half in {"晚上", "半夜", "夜里"} and hour in {12, *range(1, 5)}:
            return hour % 12
        return hour + 12 if hour < 12 else hour
    if half == "中午":
        return hour if hour > 10 else hour + 12
    if re.search(r"\da|\sa", text):
        return hour % 12
    return hour
