from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.scoring import (
    compute_evidence_recall,
    compute_percentile,
    estimate_mean,
    estimate_mean_of_groups,
)

shares = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@pytest.mark.parametrize(("k", "recall"), [(1, 0.0), (2, 0.5), (3, 0.5), (4, 1.0), (9, 1.0)])
def test_recall_counts_the_evidence_among_the_first_k(k: int, recall: float) -> None:
    assert compute_evidence_recall({"a", "b"}, ["x", "a", "y", "b"], k) == recall


@given(st.sets(st.integers(0, 9), min_size=1), st.lists(st.integers(0, 9), unique=True))
def test_recall_never_falls_with_k(evidence: set[int], found: list[int]) -> None:
    recalls = [compute_evidence_recall(evidence, found, k) for k in range(1, 12)]
    assert recalls == sorted(recalls)


def test_recall_without_evidence_is_an_error() -> None:
    with pytest.raises(ValueError, match="evidence"):
        compute_evidence_recall(set(), ["a"], 3)


@given(shares)
def test_interval_holds_the_mean_and_stays_among_the_values(values: list[float]) -> None:
    found = estimate_mean(values)
    assert min(values) - 1e-9 <= found.low <= found.mean <= found.high <= max(values) + 1e-9


def test_interval_of_half_right_answers_is_that_of_the_normal_law() -> None:
    found = estimate_mean([0.0, 1.0] * 200)
    assert found.mean == 0.5
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(400), rel=0.1)


def test_same_values_give_the_same_interval() -> None:
    assert estimate_mean([0.1, 0.9, 0.4]) == estimate_mean([0.1, 0.9, 0.4])


def test_no_questions_give_no_number() -> None:
    assert math.isnan(estimate_mean([]).mean)
    assert math.isnan(compute_percentile([], 50))


def test_interval_over_groups_is_wider_if_a_group_answers_alike() -> None:
    values = [1.0] * 50 + [0.0] * 50
    people = ["a", "b"] * 50
    alike = estimate_mean_of_groups(values, values)
    mixed = estimate_mean_of_groups(values, people)
    assert alike.mean == mixed.mean == 0.5
    assert (alike.low, alike.high) == (0.0, 1.0)
    assert mixed.high - mixed.low < 0.01


def test_no_values_have_no_interval_over_groups() -> None:
    assert math.isnan(estimate_mean_of_groups([], []).mean)
