"""Compiled loops against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memories.retrieval.index.arrays import kernels
from memories.retrieval.index.arrays.postings import Postings
from memories.retrieval.index.arrays.structure import Turns
from memories.retrieval.signals.fusion import standardise_values

#: Rows as (session, keys): −1 stands outside any session.
ROWS = st.lists(
    st.tuples(st.integers(-1, 2), st.lists(st.integers(0, 4), max_size=4)), min_size=1, max_size=10
)
OFFSETS = np.array([-1, 2], dtype=np.int64)
WEIGHTS = np.array([0.5, 0.25], dtype=np.float32)
Rows = list[tuple[int, list[int]]]


def turns_of(rows: Rows) -> Turns:
    sessions = np.array([session for session, _ in rows], dtype=np.int64)
    return Turns.of(sessions, np.arange(len(rows)), sessions >= 0)


def postings_of(rows: Rows) -> Postings:
    values = np.array([key for _, keys in rows for key in keys], dtype=np.uint32)
    return Postings.build(values, np.repeat(np.arange(len(rows)), [len(keys) for _, keys in rows]))


def around(rows: Rows, row: int) -> list[tuple[int, float]]:
    """The rows at each offset of a row, and the weight of that offset."""
    session = [other for other, (number, _) in enumerate(rows) if number == rows[row][0] >= 0]
    if row not in session:
        return []
    places = [
        (session.index(row) + int(offset), weight) for offset, weight in zip(OFFSETS, WEIGHTS, strict=True)
    ]
    return [(session[place], float(weight)) for place, weight in places if 0 <= place < len(session)]


@given(ROWS)
def test_nearest_key_of_a_row_and_those_around_counts(rows: Rows) -> None:
    turns, postings = turns_of(rows), postings_of(rows)
    dots = (postings.keys / 8).astype(np.float32)
    unit = np.full(dots.size, 2, dtype=np.float32)
    total, own, best = np.zeros((3, len(rows)), dtype=np.float32)
    kernels.add_nearest(
        dots, unit, 0.3, 2.0, postings.holders, postings.begins, postings.ends,
        turns.order, turns.session, turns.place, OFFSETS, WEIGHTS,
        own, best, np.empty(2 * len(rows), dtype=np.int64), total,
    )  # fmt: skip
    alone = [max([key / 4 for key in keys if key / 4 >= 0.3], default=0.0) for _, keys in rows]
    heard = [
        max([alone[row], *(w * alone[other] for other, w in around(rows, row))]) for row in range(len(rows))
    ]
    np.testing.assert_allclose(total, 2 * np.array(heard), atol=1e-5)
    assert not own.any()
    assert not best.any()


@given(ROWS)
def test_term_counts_in_its_row_and_by_weight_around(rows: Rows) -> None:
    turns, postings = turns_of(rows), postings_of(rows)
    count, covered, context = np.zeros((3, len(rows)), dtype=np.float32)
    norm = np.full(len(rows), 1.5, dtype=np.float32)
    touched = np.empty(len(rows), dtype=np.int64)
    place = int(postings.find(np.array([1], dtype=np.uint32))[0])
    if place >= 0:
        kernels.add_term(
            3.0, 6.0, *postings.slice_of(place), turns.order, turns.session, turns.place,
            OFFSETS, WEIGHTS, norm, count, touched, covered, context,
        )  # fmt: skip
    times = [keys.count(1) for _, keys in rows]
    heard = [times[row] + sum(w * times[other] for other, w in around(rows, row)) for row in range(len(rows))]
    expected = [6.0 * number / (number + 1.5) for number in heard]
    np.testing.assert_allclose(context, expected, atol=1e-5)
    assert covered.tolist() == [3.0 if number else 0.0 for number in times]
    assert not count.any()


@given(st.lists(st.tuples(st.floats(-100, 100, width=32), st.booleans()), max_size=20))
def test_standardised_values_of_eligible_rows_have_mean_zero(cells: list[tuple[float, bool]]) -> None:
    values = np.array([value for value, _ in cells], dtype=np.float32)
    eligible = np.array([among for _, among in cells], dtype=bool)
    scores = standardise_values(values, eligible)
    if eligible.any():
        assert abs(float(scores[eligible].mean())) < 1e-2
        assert float(scores[eligible].std()) == pytest.approx(1, abs=1e-2) or not scores.any()


@given(ROWS)
def test_sums_of_chosen_rows_are_those_of_all(rows: Rows) -> None:
    at = np.array([key for _, keys in rows for key in keys], dtype=np.uint16)
    starts = np.append(0, np.cumsum([len(keys) for _, keys in rows])).astype(np.int64)
    values = np.arange(5, dtype=np.float32)
    every: NDArray[np.float32] = np.empty(len(rows), dtype=np.float32)
    kernels.slice_sums(values, at, starts, every)
    chosen = np.arange(len(rows))[::-2].copy()
    some: NDArray[np.float32] = np.empty(chosen.size, dtype=np.float32)
    kernels.chosen_sums(values, at, starts, chosen, some)
    assert every.tolist() == [sum(keys) for _, keys in rows]
    assert some.tolist() == every[chosen].tolist()
