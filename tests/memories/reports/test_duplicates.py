"""Which near texts the report offers to merge."""

from __future__ import annotations

import pytest

from memories.maintenance.reports.findings.duplicates import is_same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The user repaired the fence after the storm.",
            "The user painted the fence after the storm.",
        ),
        (
            "The user celebrated the release with the team.",
            "The user celebrated the team's release at a bar.",
        ),
        ("用户和同事去看了电影。", "用户和家人去看了展览。"),
    ],
)
def test_two_events_are_not_offered_as_one(one: str, other: str) -> None:
    assert not is_same(one, other)
    assert not is_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user prefers tea.", "The user prefers tea in the morning."),
        ("Alice keeps bees behind the barn.", "Behind the barn, Alice is keeping honey bees."),
        ("用户喜欢茶。", "用户喜欢茶"),
    ],
)
def test_a_text_and_its_fuller_form_are_offered_as_one(one: str, other: str) -> None:
    assert is_same(one, other)
