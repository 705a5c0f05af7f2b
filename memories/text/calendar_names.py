"""Names of months and weekdays in English and Chinese, for every reader of dates. Pure."""

from __future__ import annotations

from collections.abc import Mapping
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
