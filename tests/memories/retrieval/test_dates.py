"""The time a query speaks of, in English and Chinese."""

from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np
import pytest

from memories.retrieval.query.dates import find_time_windows
from memories.retrieval.query.windows import score_times
from tests.memories.retrieval.memos import NOW, seconds


def nearness(text: str, year: int, month: int, day: int) -> float:
    moment = datetime(year, month, day, 12, tzinfo=UTC)
    return float(score_times(find_time_windows(text, NOW), seconds([moment]))[0])


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on 7 May 2023", (2023, 5, 7)),
        ("on May 7th, 2023", (2023, 5, 7)),
        ("on 2023-05-07", (2023, 5, 7)),
        ("2023年5月7日发生了什么", (2023, 5, 7)),
        ("in May 2023", (2023, 5, 20)),
        ("2023年5月", (2023, 5, 20)),
        ("last year", (2025, 3, 3)),
        ("去年", (2025, 3, 3)),
        ("last March", (2026, 3, 9)),
        ("last month", (2026, 5, 9)),
        ("上个月", (2026, 5, 9)),
        ("yesterday", (2026, 6, 14)),
        ("昨天", (2026, 6, 14)),
        ("three days ago", (2026, 6, 12)),
        ("三天前", (2026, 6, 12)),
        ("in the summer of 2024", (2024, 7, 15)),
        ("去年夏天", (2025, 7, 15)),
        ("in December", (2021, 12, 10)),
        ("in 2019", (2019, 2, 2)),
        ("last summer", (2025, 7, 15)),
        ("on 29 February", (2024, 2, 29)),
    ],
)
def test_moment_named_scores_above_a_year_away(text: str, day: tuple[int, int, int]) -> None:
    assert nearness(text, *day) >= 0.5
    assert nearness(text, day[0] + 1, (day[1] + 5) % 12 + 1, day[2]) < 0.2


def test_more_exact_time_wins_over_the_year_beside_it() -> None:
    assert nearness("on 7 May 2023", 2023, 11, 1) < 0.01


def test_what_was_told_after_the_day_counts_more_than_before() -> None:
    assert nearness("on 7 May 2023", 2023, 5, 10) > nearness("on 7 May 2023", 2023, 5, 4)


@pytest.mark.parametrize("text", ["What may I do?", "the march of time", "port 2024.5"])
def test_no_time_is_read_where_none_is_named(text: str) -> None:
    assert find_time_windows(text, NOW) == ()


def test_unknown_moments_score_nothing() -> None:
    assert score_times(find_time_windows("in 2023", NOW), np.array([np.nan])).tolist() == [0.0]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("上周三", (2026, 6, 10)),
        ("上个星期天", (2026, 6, 14)),
        ("上上周五", (2026, 6, 5)),
        ("这周三", (2026, 6, 17)),
        ("下周一", (2026, 6, 22)),
        ("last wednesday", (2026, 6, 17)),
    ],
)
def test_weekday_is_that_of_the_week_named(text: str, day: tuple[int, int, int]) -> None:
    friday = datetime(2026, 6, 19, 12, tzinfo=UTC)
    (window,) = find_time_windows(text, friday)
    assert datetime.fromtimestamp(window.start, UTC).date() == date(*day)
