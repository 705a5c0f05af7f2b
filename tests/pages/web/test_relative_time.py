"""Relative times, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from memsite.web.relative_time import format_relative_time

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "english", "chinese"),
    [
        (timedelta(seconds=59), "just now", "刚刚"),
        (timedelta(minutes=1), "1 minute ago", "1 分钟前"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago", "59 分钟前"),
        (timedelta(hours=23), "23 hours ago", "23 小时前"),
        (timedelta(days=1), "1 day ago", "1 天前"),
        (timedelta(days=13), "1 week ago", "1 周前"),
        (timedelta(days=65), "2 months ago", "2 个月前"),
        (timedelta(days=800), "2 years ago", "2 年前"),
        (timedelta(seconds=-30), "just now", "刚刚"),
        (timedelta(days=-3), "in 3 days", "3 天后"),
    ],
)
def test_a_time_is_told_in_its_largest_whole_unit(before: timedelta, english: str, chinese: str) -> None:
    with translation.override("en"):
        assert format_relative_time(NOW - before, NOW) == english
    with translation.override("zh-hans"):
        assert format_relative_time(NOW - before, NOW) == chinese
