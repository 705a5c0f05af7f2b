"""The order of a ranking: by keys, as far as relevance permits."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memories.retrieval.ranking.ranking import order_by_keys

ROWS = st.lists(st.tuples(st.floats(0, 1, width=32), st.floats(-9, 9, width=32)), max_size=30)


@given(ROWS)
def test_no_row_precedes_one_that_is_much_more_relevant(rows: list[tuple[float, float]]) -> None:
    relevance = np.array([one[0] for one in rows], dtype=np.float32)
    order = order_by_keys(relevance, np.array([one[1] for one in rows], dtype=np.float32)).tolist()
    assert sorted(order) == list(range(len(rows)))
    assert all(
        relevance[later] - relevance[first] <= 0.15 + 1e-6
        for place, first in enumerate(order)
        for later in order[place + 1 :]
    )


def test_rows_of_equal_relevance_are_in_the_order_of_their_keys() -> None:
    order = order_by_keys(np.full(3, 0.5, dtype=np.float32), np.array([1, 3, 2], dtype=np.float32))
    assert order.tolist() == [1, 2, 0]
