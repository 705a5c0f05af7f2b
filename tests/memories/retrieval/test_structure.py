"""Turns and sessions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memories.retrieval.structure import AROUND, Turns, best_of_session, previous, summed_around

TALK = st.lists(st.tuples(st.integers(0, 3), st.integers(-4, 4)), max_size=12)


def turns_of(sessions: list[int], spoken: list[bool] | None = None) -> Turns:
    took_part = np.array(spoken if spoken is not None else [True] * len(sessions), dtype=bool)
    return Turns.of(np.array(sessions, dtype=np.int64), np.arange(len(sessions)), took_part)


def floats(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def test_previous_turn_is_of_the_same_session() -> None:
    turns = turns_of([0, 1, 0, 1])
    assert previous(floats(1, 2, 3, 4), turns).tolist() == [0, 0, 1, 2]


def test_row_outside_any_session_has_no_neighbours() -> None:
    turns = turns_of([0, 0, 0], [True, False, True])
    assert previous(floats(1, 2, 3), turns).tolist() == [0, 0, 1]
    assert summed_around(floats(1, 2, 3), turns, {-1: 1.0})[1] == 2


def test_order_follows_position_not_row() -> None:
    turns = Turns.of(np.zeros(3, dtype=np.int64), np.array([9, 1, 5]), np.ones(3, dtype=bool))
    assert turns.order.tolist() == [1, 2, 0]


@given(TALK)
def test_best_three_of_each_session_are_averaged(talk: list[tuple[int, int]]) -> None:
    sessions = [session for session, _ in talk]
    values = floats(*(value for _, value in talk))
    found = best_of_session(values, turns_of(sessions))
    for row, session in enumerate(sessions):
        of_session = sorted(value for other, value in talk if other == session)[-3:]
        assert found[row] == np.float32(np.mean(of_session))


@given(TALK)
def test_turns_that_hear_a_row_are_those_it_counts_for(talk: list[tuple[int, int]]) -> None:
    turns = turns_of([session for session, _ in talk])
    values = floats(*(value for _, value in talk))
    total = values.copy()
    for offset, weight in AROUND.items():
        for row, listener in enumerate(turns.heard[offset].tolist()):
            if listener >= 0:
                total[listener] += np.float32(weight) * values[row]
    np.testing.assert_allclose(summed_around(values, turns, AROUND), total, atol=1e-4)
