"""Which memories may answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest

from memories.retrieval.eligibility import mask_active, mask_matching
from memories.retrieval.index.index import OwnerIndex
from memories.values import Layer
from memsite.llm.embedding.local_embedding import LocalEmbedder
from tests.memories.retrieval.conftest import Build
from tests.memories.retrieval.memos import NOW, Memo, rows_of, seconds

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("times", "as_of", "believed_at", "answers"),
    [
        ({}, NOW, NOW, True),
        ({"created_at": NOW + DAY}, NOW, NOW, False),
        ({"retired_at": NOW - DAY / 2}, NOW, NOW, False),
        ({"retired_at": NOW - DAY / 2}, NOW, NOW - DAY * 0.9, True),
        ({"valid_from": NOW + DAY}, NOW, NOW, False),
        ({"valid_until": NOW - DAY, "ended_at": NOW - DAY}, NOW, NOW, False),
        ({"valid_until": NOW - DAY, "ended_at": NOW - DAY}, NOW - 2 * DAY, NOW, True),
        ({"valid_until": NOW - DAY, "ended_at": NOW + DAY}, NOW, NOW, True),
    ],
)
def test_row_answers_by_both_clocks(
    embedder: LocalEmbedder,
    times: dict[str, datetime],
    as_of: datetime,
    believed_at: datetime,
    answers: bool,  # noqa: FBT001 - a case of the table
) -> None:
    rows = replace(rows_of([Memo("tea")], embedder), **{name: seconds([at]) for name, at in times.items()})  # type: ignore[arg-type]  # wrong on purpose, or a stand-in
    index = OwnerIndex.build(rows, None)
    assert mask_active(index, as_of, believed_at).tolist() == [answers]


def test_filters_narrow_together(build: Build) -> None:
    index = build(
        [Memo("a"), Memo("b", kind="goal"), Memo("c", kind="goal", speaker="Ana", status="forgotten")]
    )
    assert mask_matching(index, kinds=["goal"]).tolist() == [False, True, True]
    assert mask_matching(index, kinds=["goal"], statuses=["active"]).tolist() == [False, True, False]
    assert mask_matching(index, speaker="Ana", layers=[Layer.SEMANTIC]).tolist() == [False, False, True]


def test_no_filter_lets_all_pass(build: Build) -> None:
    assert np.all(mask_matching(build(["a", "b"])))
