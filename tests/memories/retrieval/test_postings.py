"""Inverted lists."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memories.retrieval.index.arrays.postings import Postings, gather, unpack_rows

ROWS = st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=8)


def built(rows: list[list[int]], first: int = 0) -> Postings:
    blobs = [np.array(row, dtype="<u4").tobytes() for row in rows]
    values, at, _ = unpack_rows(blobs, "<u4", first)
    return Postings.build(values, at)


def as_counter(postings: Postings) -> Counter[tuple[int, int]]:
    found: Counter[tuple[int, int]] = Counter()
    for place, key in enumerate(postings.keys.tolist()):
        holders, times = postings.rows(place)
        found.update(dict(zip([(key, row) for row in holders.tolist()], times.tolist(), strict=True)))
    return found


@given(ROWS)
def test_every_occurrence_is_counted_where_it_stands(rows: list[list[int]]) -> None:
    assert as_counter(built(rows)) == Counter((key, row) for row, keys in enumerate(rows) for key in keys)


@given(st.lists(ROWS, min_size=1, max_size=6))
def test_extending_equals_building_at_once(parts: list[list[list[int]]]) -> None:
    rows: list[list[int]] = []
    grown = built([])
    for part in parts:
        grown = grown.extended(built(part, first=len(rows)))
        rows += part
    assert as_counter(grown) == as_counter(built(rows))


@given(ROWS, ROWS)
def test_extending_leaves_the_earlier_version_as_it_was(
    first: list[list[int]], second: list[list[int]]
) -> None:
    earlier = built(first)
    earlier.extended(built(second, first=len(first)))
    assert as_counter(earlier) == as_counter(built(first))


def test_key_keeps_its_place_when_others_come() -> None:
    grown = built([[5, 3]]).extended(built([[4, 5]], first=1))
    assert grown.keys.tolist() == [3, 5, 4]
    assert grown.find(np.array([5, 4, 9], dtype=np.uint32)).tolist() == [1, 2, -1]


def test_many_extensions_take_little_more_memory_than_building_at_once() -> None:
    rows = [[number % 7, number % 3, 9 + number] for number in range(3_000)]
    grown = built([])
    for number, row in enumerate(rows):
        grown = grown.extended(built([row], first=number))
    assert grown.nbytes < 2 * built(rows).nbytes


def test_absent_key_has_no_place() -> None:
    assert built([[3, 5]]).find(np.array([3, 4, 9], dtype=np.uint32)).tolist() == [0, -1, -1]


def test_slices_are_gathered_one_after_the_other() -> None:
    assert gather(np.array([5, 0]), np.array([2, 3])).tolist() == [5, 6, 0, 1, 2]
