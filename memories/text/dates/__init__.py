"""Dates and spans of time in a text: how they are found, resolved, named and compared."""

from memories.text.dates.chinese import CHINESE_RULES
from memories.text.dates.chinese import LONE_RULES as _LONE_CHINESE
from memories.text.dates.english import ENGLISH_RULES
from memories.text.dates.english import LONE_RULES as _LONE_ENGLISH
from memories.text.dates.expiry import find_expiry
from memories.text.dates.keys import (
    NAMED_DATE,
    NUMERIC_DATE,
    NUMERIC_TIME,
    RELATIVE,
    WEEKDAY_KEYS,
    ZH_DAY,
    ZH_RELATIVE,
    ZH_TIME,
    make_date_key,
    make_time_key,
)
from memories.text.dates.mentions import Lean, Mention, Moment, TimeRule, annotate_times, find_time_mentions
from memories.text.dates.names import (
    MONTH_NAMES,
    MONTHS,
    NUMBER_WORDS,
    SEASONS,
    WEEKDAY_NAMES,
    match_any,
    parse_chinese_number,
)
from memories.text.dates.spans import Span, Unit, day_span, shift_months

#: In a query, a lone "December" or "2019" is a time as well.
QUERY_RULES = (*ENGLISH_RULES, *CHINESE_RULES, *_LONE_ENGLISH, *_LONE_CHINESE)

__all__ = [
    "CHINESE_RULES",
    "ENGLISH_RULES",
    "MONTHS",
    "MONTH_NAMES",
    "NAMED_DATE",
    "NUMBER_WORDS",
    "NUMERIC_DATE",
    "NUMERIC_TIME",
    "QUERY_RULES",
    "RELATIVE",
    "SEASONS",
    "WEEKDAY_KEYS",
    "WEEKDAY_NAMES",
    "ZH_DAY",
    "ZH_RELATIVE",
    "ZH_TIME",
    "Lean",
    "Mention",
    "Moment",
    "Span",
    "TimeRule",
    "Unit",
    "annotate_times",
    "day_span",
    "find_expiry",
    "find_time_mentions",
    "make_date_key",
    "make_time_key",
    "match_any",
    "parse_chinese_number",
    "shift_months",
]
