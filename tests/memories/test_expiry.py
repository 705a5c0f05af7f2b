"""When temporary states are over, by the words of the text."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memories.text import find_expiry

WEDNESDAY = datetime(2026, 4, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I'm staying with my aunt this week.", date(2026, 4, 13)),
        ("I'm in Bergen until Friday.", date(2026, 4, 11)),
        ("We're without a car for the next two weeks.", date(2026, 4, 22)),
        ("I'm on night shifts till 20 April.", date(2026, 4, 21)),
        ("I'm on sick leave until the end of April.", date(2026, 5, 1)),
        ("I'm on sick leave until June.", date(2026, 6, 1)),
        ("We're closed until the end of the month.", date(2026, 5, 1)),
        ("I've got a nasty cold.", date(2026, 4, 22)),
        ("我这四天在家养伤。", date(2026, 4, 12)),
        ("这周我在厦门培训。", date(2026, 4, 13)),
        ("我这几天住酒店。", date(2026, 4, 15)),
        ("我发烧了。", date(2026, 4, 22)),
    ],
)
def test_a_state_with_an_end_expires(text: str, over: date) -> None:
    found = find_expiry(text, WEDNESDAY)
    assert found is not None
    assert found.date() == over


@pytest.mark.parametrize(
    "text",
    [
        "I'm from Bergen.",
        "I've lived here for two years.",
        "We got the keys today and we're in it.",
        "We've moved the rota to Airtable as of this month.",
        "I always get a cold in winter.",
        "My exam is this week.",
        "I'm getting married this weekend.",
        "我想在这个月底前考完。",
        "我每周都出差。",
        "我容易感冒。",
    ],
)
def test_what_lasts_or_happens_does_not_expire(text: str) -> None:
    assert find_expiry(text, WEDNESDAY) is None
