"""What is over, its heirs and the turns that taught it: the same however the columns came together."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memories.retrieval.index.lineage import FormerRows, Lineage, LineageColumns


def packed(*sources: int) -> bytes:
    return b"".join(source.to_bytes(8, "big", signed=True) for source in sources)


def columns(*rows: tuple[bool, bytes, int | None], edited: tuple[int, ...] = ()) -> LineageColumns:
    """Return columns of rows that are over or not, have packed sources, and the row that followed."""
    return LineageColumns(
        np.array([over for over, _, _ in rows], dtype=bool),
        np.array([row in edited for row in range(len(rows))], dtype=bool),
        [sources for _, sources, _ in rows],
        [b"" if successor is None else bytes([successor]) for _, _, successor in rows],
    )


def slot(count: int) -> dict[Hashable, int]:
    return {bytes([row]): row for row in range(count)}


def find(lineage: Lineage, count: int, turns: set[int]) -> FormerRows:
    return lineage.find_former(np.array([row in turns for row in range(count)], dtype=bool))


def find_heirs(lineage: Lineage, rows: list[int], count: int, eligible: set[int]) -> list[int]:
    mask = np.array([row in eligible for row in range(count)], dtype=bool)
    return [lineage.find_heir(row, slot(count), mask) for row in rows]


def test_turn_of_an_ended_fact_is_found_with_the_fact_that_followed() -> None:
    # rows: turn 0 taught fact 1, which fact 3 of turn 2 replaced
    lineage = Lineage.build(
        columns(
            (False, packed(10), None),
            (True, packed(10), 3),
            (False, packed(20), None),
            (False, packed(20), None),
        )
    )
    former = find(lineage, 4, {0, 2})
    assert (former.facts.tolist(), former.turns.tolist(), former.taught.tolist()) == ([1], [0], [0])
    assert find_heirs(lineage, [1], 4, {0, 2, 3}) == [3]
    assert not lineage.tells_of_change(0, 1, slot(4))


def test_turn_that_taught_the_successor_too_tells_of_the_change() -> None:
    lineage = Lineage.build(
        columns((False, packed(10), None), (True, packed(10), 2), (False, packed(10), None))
    )
    assert lineage.tells_of_change(0, 1, slot(3))


def test_turn_of_an_edited_fact_does_not_tell_of_the_change() -> None:
    rows = (False, packed(10), None), (True, packed(10), 2), (False, packed(10), None)
    assert not Lineage.build(columns(*rows, edited=(1,))).tells_of_change(0, 1, slot(3))


def test_heir_is_the_first_of_a_chain_that_may_be_found() -> None:
    lineage = Lineage.build(columns((True, b"", 1), (True, b"", 2), (False, b"", None), (True, b"", None)))
    assert find_heirs(lineage, [0, 1, 3], 4, {2}) == [2, 2, -1]
    assert find_heirs(lineage, [0, 1], 4, {1, 2}) == [1, 2]


def test_circle_of_successors_has_no_heir() -> None:
    assert find_heirs(Lineage.build(columns((True, b"", 1), (True, b"", 0))), [0], 2, set()) == [-1]


def test_source_that_many_turns_share_teaches_none_of_them() -> None:
    rows = [(True, packed(10), None), *[(False, packed(10), None)] * 13]
    assert find(Lineage.build(columns(*rows)), 14, set(range(1, 14))).turns.size == 0
    assert find(Lineage.build(columns(*rows[:13])), 13, set(range(1, 13))).turns.size == 12


ROWS = st.lists(
    st.tuples(st.booleans(), st.lists(st.integers(1, 5), max_size=3), st.integers(-1, 8)),
    min_size=1,
    max_size=9,
)


@given(ROWS, st.data())
def test_grown_and_changed_columns_are_those_built_at_once(
    rows: list[tuple[bool, list[int], int]], data: st.DataObject
) -> None:
    def some(part: slice) -> LineageColumns:
        chosen = rows[part]
        return columns(
            *(
                (over, packed(*sources), successor if 0 <= successor < len(rows) else None)
                for over, sources, successor in chosen
            )
        )

    turns = set(data.draw(st.lists(st.integers(0, len(rows) - 1))))
    first = data.draw(st.integers(0, len(rows)))
    start = Lineage.build(columns(*[(False, b"", None)] * first)).changed(
        np.arange(first), some(slice(first))
    )
    grown, whole = start.grown(some(slice(first, None))), Lineage.build(some(slice(None)))
    assert _parts(grown, rows, turns) == _parts(whole, rows, turns)


def _parts(lineage: Lineage, rows: list[tuple[bool, list[int], int]], turns: set[int]) -> list[list[int]]:
    former = find(lineage, len(rows), turns)
    heirs = find_heirs(
        lineage, former.facts.tolist(), len(rows), set(range(len(rows))) - set(former.facts.tolist())
    )
    return [former.facts.tolist(), heirs, former.turns.tolist(), former.taught.tolist()]
