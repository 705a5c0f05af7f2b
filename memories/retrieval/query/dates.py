"""Turn the times that a query mentions into time windows, by which memories are scored."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from memories.retrieval.query.windows import DAY, TimeWindow
from memories.text import QUERY_RULES, Lean, Mention, Moment, Unit, find_time_mentions

#: Mean length of a span, in days.
_LENGTHS: Final = {
    Unit.DAY: 1, Unit.WEEKDAY: 1, Unit.WEEKEND: 2, Unit.WEEK: 7, Unit.MONTH: 30.4, Unit.SEASON: 91.2,
    Unit.YEAR: 365,
}  # fmt: skip
#: Tails before and after a span, in days: events are mentioned after they happen more often than before.
_TAILS: Final = {
    Unit.DAY: (2, 7), Unit.WEEKDAY: (1, 1), Unit.WEEKEND: (1, 1), Unit.WEEK: (1, 1), Unit.MONTH: (1, 7),
    Unit.SEASON: (1, 7), Unit.YEAR: (1, 7),
}  # fmt: skip
_RELATIVE_DAY_TAILS: Final = (0.5, 0.5)  # today, yesterday
_LEAST_MONTH: Final = 28 * DAY
_MONTH_SLACK: Final = 3 * DAY  # a window of a month has 30.4 days, whatever the month
_YEAR: Final = re.compile(r"(?<![\d.])(?:19|20)\d\d(?![\d.])")
_BEFORE_TIME: Final = re.compile(
    r"(?:\b(?:back )?(?:in|on|at|during|around|by|since|as of|of)|[在到于])\s?$", re.IGNORECASE
)
#: Characters before a time in which its preposition is, and of a text in which times are looked for.
_PREPOSITION: Final = 12
_LONGEST: Final = 2_000
_YEAR_WEIGHT: Final = 0.5  # a year is less specific than a month
_LEAP_YEAR: Final = 2000


def find_time_windows(text: str, now: datetime) -> tuple[TimeWindow, ...]:
    """Return the time windows that a text mentions.

    Only windows of the most exact kind found are returned: days and "… ago" first, then months of a year and
    this or last week or year, then bare months and seasons, then years.

    Args:
        text: The text, in English or Chinese.
        now: Aware time from which relative dates are counted.
    """
    mentions = find_time_mentions(text, Moment(now, Lean.PAST), QUERY_RULES)
    most_exact = min(map(_rank_exactness, mentions), default=0)
    return tuple(_make_window(one) for one in mentions if _rank_exactness(one) == most_exact)


def remove_times(text: str, now: datetime) -> str:
    """Return a text without the times that it mentions, and without the prepositions before them.

    Args:
        text: The text, in English or Chinese.
        now: Aware time from which relative dates are counted.
    """
    pieces, last = [], 0
    for one in find_time_mentions(text[:_LONGEST], Moment(now, Lean.PAST), QUERY_RULES):
        if one.start < last:
            continue
        tail = max(last, one.start - _PREPOSITION)
        pieces += [text[last:tail], _BEFORE_TIME.sub("", text[tail : one.start]).rstrip()]
        last = one.end
        if text[last : last + 1].isspace() and text[last + 1 : last + 2].isalnum():
            pieces.append(" ")
            last += 1
    return "".join([*pieces, text[last:]])


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


def _rank_exactness(mention: Mention) -> int:
    """Return 0 for the most exact times, up to 3."""
    if mention.span.counted or mention.span.unit in {Unit.DAY, Unit.WEEKDAY}:
        return 0
    if mention.bare:
        return 2
    return 3 if mention.span.unit is Unit.YEAR and not mention.relative else 1


def _make_window(mention: Mention) -> TimeWindow:
    span = mention.span
    length = _LENGTHS[span.unit]
    if span.counted:  # "two years ago" is a day some time around two years before
        start = span.counted - timedelta(days=0 if span.unit is Unit.DAY else length / 2)
        return TimeWindow(start.timestamp(), start.timestamp() + length * DAY, (length * DAY, length * DAY))
    is_relative_day = span.unit is Unit.DAY and mention.relative
    before, after = _RELATIVE_DAY_TAILS if is_relative_day else _TAILS[span.unit]
    is_yearly = mention.bare and span.unit is not Unit.WEEKDAY
    start = span.start.replace(year=_LEAP_YEAR) if is_yearly else span.start
    return TimeWindow(
        start.timestamp(),
        start.timestamp() + length * DAY,
        (before * DAY, after * DAY),
        weight=_YEAR_WEIGHT if span.unit is Unit.YEAR else 1.0,
        yearly=is_yearly,
    )
