"""What is over, its heirs and the turns that taught it: the same however the columns came together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memories.retrieval.index.lineage import FormerRows, Lineage


def packed(*sources: int) -> bytes:
    return b"".join(source.to_bytes(8, "big", signed=True) for source in sources)


def find(lineage: Lineage, count: int, turns: set[int]) -> FormerRows:
    is_turn = np.array([row in turns for row in range(count)], dtype=bool)
    return lineage.find_former({bytes([row]): row for row in range(count)}, is_turn)


def test_turn_of_an_ended_fact_is_found_with_the_fact_that_followed() -> None:
    # rows: turn 0 taught fact 1, which fact 3 of turn 2 replaced
    lineage = Lineage.build(
        np.array([False, True, False, False]),
        [packed(10), packed(10), packed(20), packed(20)],
        [b"", bytes([3]), b"", b""],
    )
    former = find(lineage, 4, {0, 2})
    assert (former.facts.tolist(), former.heirs.tolist()) == ([1], [3])
    assert (former.turns.tolist(), former.taught.tolist()) == ([0], [0])


def test_turn_that_taught_the_heir_too_is_not_over() -> None:
    lineage = Lineage.build(np.array([False, True, False]), [packed(10)] * 3, [b"", bytes([2]), b""])
    assert find(lineage, 3, {0}).turns.size == 0


def test_heir_is_the_last_of_a_chain_and_none_if_that_is_over() -> None:
    over = np.array([True, True, False, True])
    lineage = Lineage.build(over, [b""] * 4, [bytes([1]), bytes([2]), b"", b""])
    assert find(lineage, 4, set()).heirs.tolist() == [2, 2, -1]


def test_circle_of_successors_has_no_heir() -> None:
    lineage = Lineage.build(np.array([True, True]), [b""] * 2, [bytes([1]), bytes([0])])
    assert find(lineage, 2, set()).heirs.tolist() == [-1, -1]


ROWS = st.lists(
    st.tuples(st.booleans(), st.lists(st.integers(1, 5), max_size=3), st.integers(-1, 8)),
    min_size=1,
    max_size=9,
)


@given(ROWS, st.data())
def test_grown_and_changed_columns_are_those_built_at_once(
    rows: list[tuple[bool, list[int], int]], data: st.DataObject
) -> None:
    over = np.array([one[0] for one in rows])
    sources = [packed(*one[1]) for one in rows]
    successors = [bytes([one[2]]) if 0 <= one[2] < len(rows) else b"" for one in rows]
    turns = set(data.draw(st.lists(st.integers(0, len(rows) - 1))))
    first = data.draw(st.integers(0, len(rows)))
    start = Lineage.build(np.zeros(first, dtype=bool), [b""] * first, [b""] * first)
    start = start.changed(np.arange(first), over[:first], sources[:first], successors[:first])
    grown = start.grown(over[first:], sources[first:], successors[first:])
    whole = Lineage.build(over, sources, successors)
    assert _parts(grown, rows, turns) == _parts(whole, rows, turns)


def _parts(lineage: Lineage, rows: list[tuple[bool, list[int], int]], turns: set[int]) -> list[list[int]]:
    former = find(lineage, len(rows), turns)
    return [part.tolist() for part in (former.facts, former.heirs, former.turns, former.taught)]
