"""Turns and sessions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memories.retrieval.index.arrays.structure import (
    AROUND,
    Turns,
    compute_best_of_session,
    inherit_from_question,
    sum_around_turns,
)

TALK = st.lists(st.tuples(st.integers(0, 3), st.integers(-4, 4)), max_size=12)


def turns_of(sessions: list[int], spoken: list[bool] | None = None) -> Turns:
    took_part = np.array(spoken if spoken is not None else [True] * len(sessions), dtype=bool)
    return Turns.of(np.array(sessions, dtype=np.int64), np.arange(len(sessions)), took_part)


def floats(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def asking(rows: int) -> NDArray[np.bool_]:
    return np.ones(rows, dtype=bool)


def test_only_a_question_that_fits_is_inherited() -> None:
    turns = turns_of([0, 0, 0])
    asks = np.array([False, True, True])
    assert inherit_from_question(floats(1, 2, 3), asks, turns).tolist() == [0, 0, 2]
    assert inherit_from_question(floats(1, -2, 3), asks, turns).tolist() == [0, 0, 0]


def test_previous_turn_is_of_the_same_session() -> None:
    turns = turns_of([0, 1, 0, 1])
    assert inherit_from_question(floats(1, 2, 3, 4), asking(4), turns).tolist() == [0, 0, 1, 2]


def test_row_outside_any_session_has_no_neighbours() -> None:
    turns = turns_of([0, 0, 0], [True, False, True])
    assert inherit_from_question(floats(1, 2, 3), asking(3), turns).tolist() == [0, 0, 1]
    assert sum_around_turns(floats(1, 2, 3), turns, {-1: 1.0})[1] == 2


def test_order_follows_position_not_row() -> None:
    turns = Turns.of(np.zeros(3, dtype=np.int64), np.array([9, 1, 5]), np.ones(3, dtype=bool))
    assert turns.order.tolist() == [1, 2, 0]


@given(TALK)
def test_best_three_of_each_session_are_averaged(talk: list[tuple[int, int]]) -> None:
    sessions = [session for session, _ in talk]
    values = floats(*(value for _, value in talk))
    found = compute_best_of_session(values, asking(len(talk)), turns_of(sessions))
    for row, session in enumerate(sessions):
        of_session = sorted(value for other, value in talk if other == session)[-3:]
        assert found[row] == np.float32(np.mean(of_session))


def test_what_may_not_answer_does_not_lift_its_session() -> None:
    found = compute_best_of_session(floats(9, 1, -4), np.array([False, True, False]), turns_of([0, 0, 0]))
    assert found.tolist() == [-1, -1, -1]


@given(TALK)
def test_turns_around_count_by_their_weight(talk: list[tuple[int, int]]) -> None:
    sessions = [session for session, _ in talk]
    values = floats(*(value for _, value in talk))
    total = values.copy()
    for session in set(sessions):
        rows = [row for row, other in enumerate(sessions) if other == session]
        for place, row in enumerate(rows):
            for offset, weight in AROUND.items():
                if 0 <= place + offset < len(rows):
                    total[row] += np.float32(weight) * values[rows[place + offset]]
    np.testing.assert_allclose(sum_around_turns(values, turns_of(sessions), AROUND), total, atol=1e-4)
