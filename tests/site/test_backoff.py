"""Waits before a restart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memsite.serving.supervision.supervisor import Backoff


def test_waits_double_up_to_the_most() -> None:
    backoff = Backoff(first=1.0, most=5.0)
    assert [backoff.next_wait(0.0) for _ in range(5)] == [1.0, 2.0, 4.0, 5.0, 5.0]


def test_steady_run_begins_anew() -> None:
    backoff = Backoff(first=1.0, most=8.0, steady=30.0)
    backoff.next_wait(0.0)
    backoff.next_wait(0.0)
    assert backoff.next_wait(30.0) == 1.0


@given(st.lists(st.floats(min_value=0.0, max_value=1e6), max_size=50))
def test_wait_stays_within_its_bounds(runs: list[float]) -> None:
    backoff = Backoff()
    assert all(backoff.first <= backoff.next_wait(ran) <= backoff.most for ran in runs)
