"""Fold a text for comparison: one width, simplified Chinese, Chinese numerals as digits.

Case is kept, because it marks names. All functions take time linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final

from memories.text.normalisation import unify

_DIGITS: Final = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
    "九": 9,
}  # fmt: skip
_POWERS: Final = {"十": 10, "百": 100, "千": 1000}
_MYRIADS: Final = {"万": 10_000, "亿": 100_000_000}
_NUMERAL: Final = "零〇一二两三四五六七八九十百千万亿"

#: Things that are counted or measured. A numeral before one of these is a number.
_COUNTED: Final = (
    "个只条头匹辆台部本件张把支枝根棵朵座栋套间层楼岁年月日号天周秒分斤克米元块毛角人位名口家次遍场门节"
    "种份瓶杯碗盘包袋盒箱罐颗粒滴片双对副组队群期届度倍级页章句字国所篇首趟回圈枚艘架股升顿刻室厅班环套"
)
_UNITS: Final = (
    "小时|公斤|公里|公分|厘米|毫米|毫升|毫克|千克|千米|平米|平方|美元|美金|欧元|英里|英镑|日元|星期|礼拜"
    "|学期|年级"
)
_NOT_NUMBERS: Final = (
    "一点(?!半|钟|整|\\d)|十分(?!钟|之)|一家人|一口气|一回事|一旦|万一|千万(?=[别不要注记])|一时|一度|一面|一号线|一把手|三明治|"
    "百分之|一次性|一天到晚|一对一|万分|一部分|一方面|百万富翁|一心一意|一五一十|一家子|一级棒|七上八下|乱七八糟|一身"
)
_WEEKDAY: Final = "(?:周|星期|礼拜)[一二三四五六](?![次个天场节本篇回趟遍顿])"
_NUMBERS: Final = re.compile(
    rf"(?P<kept>{_NOT_NUMBERS}|{_WEEKDAY})"
    rf"|(?P<decimal>[{_NUMERAL}]{{1,12}}点[零〇一二三四五六七八九]{{1,6}}(?=(?:{_UNITS}|[斤米元块万亿倍度版%])))"
    rf"|(?P<hour>(?<=[午上里晨天])[一二两三四五六七八九十]{{1,3}}(?=点))"
    rf"|(?P<percent>(?<=百分之)[{_NUMERAL}]{{1,12}})"
    rf"|(?P<ordinal>(?<=第)[{_NUMERAL}]{{1,12}})"
    rf"|(?P<counted>[{_NUMERAL}]{{1,24}}(?={_UNITS}|[{_COUNTED}点时多几余来]))"
    rf"|(?P<long>(?<![唯统])[{_NUMERAL}]{{2,24}})"
    r"|(?P<single>(?<=[是为到至有])[一二两三四五六七八九十](?=$|[\s，。,.!！;；、]))"
)


def fold(text: str) -> str:
    """Return the text in NFKC with simplified characters and counting Chinese numerals as ASCII digits."""
    if text.isascii():
        return text
    return _NUMBERS.sub(_digits, unify(text))


def _digits(match: re.Match[str]) -> str:
    run = match.group()
    if match.lastgroup == "kept":
        return run
    if match.lastgroup == "decimal":
        whole, _, part = run.partition("点")
        return f"{_value(whole)}.{''.join(str(_DIGITS[digit]) for digit in part)}"
    if len(run) == 2 and _is_rough(run):
        return run
    value = _value(run)
    return run if value is None else value


def _is_rough(run: str) -> bool:
    """Return whether two digits mean "two or three", not twenty-three."""
    first, second = (_DIGITS.get(digit, -9) for digit in run)
    return second == first + 1 and first > 0


def _value(run: str) -> str | None:
    """Return a numeral in ASCII digits: 三千五百 → 3500, 二零二四 → 2024.

    Returns:
        None if it is no numeral (a bare 万, 千百).
    """
    if all(digit in _DIGITS for digit in run):
        return "".join(str(_DIGITS[digit]) for digit in run)
    total = section = digit = 0
    last_power = 1
    for character in run:
        if character in _DIGITS:
            digit, last_power = _DIGITS[character], last_power if _DIGITS[character] else 1
        elif character in _POWERS:
            last_power = _POWERS[character]
            section, digit = section + (digit or (1 if last_power == 10 else 0)) * last_power, 0
        else:
            total, section, digit = (total + section + digit) * _MYRIADS[character], 0, 0
            last_power = _MYRIADS[character]
    if digit and last_power >= 100:
        digit *= last_power // 10
    value = total + section + digit
    return str(value) if value else None
