"""Names of months, weekdays and seasons, and number words, in English and Chinese."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

#: Full English names, January first and Monday first.
MONTH_NAMES: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
WEEKDAY_NAMES: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: English name or its usual abbreviation → number of the month, from 1.
MONTHS: Final[Mapping[str, int]] = {
    form: number
    for number, name in enumerate(MONTH_NAMES, 1)
    for form in dict.fromkeys((name, name[:3], *(("sept",) if name == "september" else ())))
}
#: English name → number of the weekday, Monday is 0.
WEEKDAYS: Final[Mapping[str, int]] = {name: number for number, name in enumerate(WEEKDAY_NAMES)}
#: Character after 周, 星期 or 礼拜 → number of the weekday, Monday is 0.
WEEKDAYS_ZH: Final[Mapping[str, int]] = {
    "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6,
}  # fmt: skip
#: Name → first month.
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
SEASONS_ZH: Final = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
NUMBER_WORDS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "a couple of": 2,
    "couple of": 2,
}  # fmt: skip
_DIGITS: Final = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "〇": 0,
    "几": 3,
}


def match_any(forms: Iterable[str]) -> str:
    """Return a pattern, without groups, that matches any of these words, the longest first."""
    return f"(?:{'|'.join(sorted(forms, key=len, reverse=True))})"


def parse_chinese_number(text: str) -> int:
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
