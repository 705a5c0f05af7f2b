"""The value and unit of numbers in a text."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

_UNIT_FORMS: Final = """
    kg kgs kilo kilos kilogram kilograms 公斤 千克 | g gram grams 克 | mg milligram milligrams 毫克 | lb lbs
    pound pounds
    | oz ounce ounces | jin 斤 | km kms kilometer kilometers kilometre kilometres 公里 千米
    | m meter meters metre metres 米 | cm centimeter centimeters 厘米 公分 | mm 毫米 | mile miles mi 英里 |
    ft foot feet
    | inch inches 英寸 寸 | l liter liters litre litres 升 | gallon gallons 加仑 | cup cups | tbsp
    tablespoon tablespoons | tsp teaspoon teaspoons | pint pints | stone | acre acres
    | 公顷 hectare hectares | 亩 | ton tons tonne tonnes 吨 | ml milliliter milliliters 毫升
    | s sec secs second seconds 秒 秒钟 | min mins minute minutes 分钟 | h hr hrs hour hours 小时 个小时 |
    day days 天
    | week weeks 周 星期 个星期 礼拜 | month months 个月 | year years yr yrs 年 | ms millisecond
    milliseconds 毫秒
    | eur euro euros € 欧元 | usd dollar dollars $ bucks 美元 美金 | gbp £ quid 英镑
    | cny rmb yuan ¥ 元 块 块钱 人民币 | jpy yen 日元 | % percent 百分点
    | kb | mb | gb | tb | hz | khz | mhz | ghz | kw | kwh | mah | fps | px | rpm | bpm | kcal cal calories
    卡 大卡
    | °c ℃ 摄氏度 | °f | 度 degrees degree | times 次 遍 回 | 岁 周岁 | 个 | 只 | 条 | 匹 | 头 | 辆 | 台 |
    口 | 层 楼 | 杯 | 瓶 | 碗 | 本
    | 张 | 把 | 件 | 间 | 套 | 位 名 人 | 页 | 章 | 节 | 支 | 份 | 棵 | 部 | 家 | 门 | 种 | 片 | 粒 | 号 |
    年级 | 句 | 篇 | 首 | 双 | 对
"""
#: Written form → canonical unit. Measure words are units too, so that they do not count as words.
ORDINAL: Final = "th"
UNITS: Final = {form: forms[0] for forms in map(str.split, _UNIT_FORMS.split("|")) for form in forms}
#: Measure words without meaning of their own: 3 只猫 equals 3 猫.
_PLAIN_MEASURES: Final = frozenset("个只条匹头辆台口杯瓶碗本张把件间套位页章节支份棵部家门种片粒号句篇首双对")
_WORD_UNITS: Final = [
    re.escape(unit) + (r"\b" if unit[-1].isascii() and unit[-1].isalpha() else "") for unit in UNITS
]
UNIT: Final = "|".join(sorted(_WORD_UNITS, key=len, reverse=True))

_SMALL_WORDS: Final = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_TEN_WORDS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL: Final = {word: value for value, word in enumerate(_SMALL_WORDS.split())}
_TENS: Final = {word: 10 * tens for tens, word in enumerate(_TEN_WORDS.split(), 2)}
_POWERS: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS: Final = {
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "eleventh": 11, "twelfth": 12,
}  # fmt: skip
WORD_VALUES: Final = {**_SMALL, **_TENS, **_POWERS, **_ORDINALS, "dozen": 12}
_MULTIPLIERS: Final = {
    "k": 1000, "万": 10_000, "亿": 100_000_000, "千": 1000, "百": 100, **_POWERS,
}  # fmt: skip


def plain(digits: str, power: str = "", *, exact: bool = True) -> str:
    """Return a decimal numeral without separators and powers: `1,200` → `1200`, `1.5` + `万` → `15000`.

    Args:
        digits: The digits as written.
        power: The multiplier as written.
        exact: Whether to keep decimals as written (2.10 is not 2.1, because it may be a version).
    """
    text = digits.replace(",", "")
    multiplier = _MULTIPLIERS.get(power.strip().lower())
    if multiplier is None and (exact or "." not in text):
        return text
    value = Decimal(text) * (multiplier or 1)
    return format(value.normalize(), "f")


def canonical_unit(surface: str) -> str:
    """Return the canonical name of a unit; empty for no unit and for plain measure words."""
    clean = surface.strip(" -")
    unit = UNITS.get(clean) or UNITS.get(clean.lower(), "")
    return "" if unit in _PLAIN_MEASURES else unit


def is_ordinal(word: str) -> bool:
    """Return whether an English number word is an ordinal."""
    return word in _ORDINALS


def worded(words: list[str]) -> str:
    """Return the value of English number words: two hundred and fifty → 250."""
    total = current = 0
    for word in words:
        if word == "hundred":
            current = (current or 1) * 100
        elif word in _POWERS:
            total, current = total + (current or 1) * _POWERS[word], 0
        elif word == "dozen":
            current = (current or 1) * 12
        else:
            current += WORD_VALUES.get(word, 0)
    return str(total + current)
