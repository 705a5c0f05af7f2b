from __future__ import annotations

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.maintenance.reflection.proposals.proposals import may_retire
from memories.maintenance.reflection.sources.support import (
    compute_confidence,
    compute_strength,
    count_occurrences,
    is_pattern,
)
from memories.models import Memory
from memsite.accounts.models import User


def memories(count: int) -> list[Memory]:
    return [Memory(id=uuid4(), content="x", layer="semantic", kind="fact") for _ in range(count)]


def test_memories_of_one_message_are_one_occurrence() -> None:
    first, second, third = memories(3)
    origins = {first.pk: ["message:1"], second.pk: ["message:1", "message:2"], third.pk: ["message:3"]}
    assert count_occurrences([first, second, third], origins) == 2


def test_memory_said_in_two_messages_joins_what_came_from_either() -> None:
    first, second, both = memories(3)
    origins = {first.pk: ["a"], second.pk: ["b"], both.pk: ["a", "b"]}
    assert count_occurrences([first, second, both], origins) == 1


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=3), max_size=6))
def test_order_of_memories_does_not_matter(sources: list[list[str]]) -> None:
    rows = memories(len(sources))
    origins = {row.pk: found for row, found in zip(rows, sources, strict=True)}
    assert count_occurrences(rows, origins) == count_occurrences(rows[::-1], origins) <= len(rows)


@given(st.integers(0, 50), st.integers(0, 50))
def test_confidence_is_a_share_and_falls_with_what_speaks_against_it(shown: int, against: int) -> None:
    assert 0.0 <= compute_confidence(shown, against) <= 1.0
    assert compute_confidence(shown, against + 1) <= compute_confidence(shown, against)
    assert compute_confidence(shown + 1, against) >= compute_confidence(shown, against)


@pytest.mark.parametrize(("shown", "sure", "passes"), [(2, 0.8, True), (1, 1.0, False), (9, 0.79, False)])
def test_pattern_needs_two_memories_and_confidence(shown: int, sure: float, *, passes: bool) -> None:
    assert is_pattern(shown, sure) is passes


def test_habit_is_firmer_the_more_show_it() -> None:
    assert compute_strength(2, 1.0) < compute_strength(5, 1.0) < 1.0


@pytest.mark.django_db
def test_few_memories_still_allow_twenty_to_be_retired(alice: User) -> None:
    assert may_retire(owner=alice.pk) == 20
