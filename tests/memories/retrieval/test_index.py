"""Building and extending an index."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.retrieval.index.arrays.columns import Coded
from memories.retrieval.index.index import OwnerIndex
from memories.retrieval.index.tokens import TokenSpace
from memories.retrieval.ranking import RankedMemories
from memsite.llm.embedding.local_embedding import LocalEmbedder
from tests.memories.retrieval.conftest import Build
from tests.memories.retrieval.memos import Memo, rows_of

TEXTS = [
    "I moved to Lisbon in May",
    "Which city was it before?",
    "It was Turin, near the river",
    "我在北京工作",
    "the port is 5433",
    "my cat sleeps all day",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)
@given(cut=st.integers(0, 6))
def test_extending_ranks_as_building_at_once_does(
    embedder: LocalEmbedder, space: TokenSpace, ask: Callable[..., RankedMemories], cut: int
) -> None:
    memos = [Memo(text, id=text, layer="episodic", session="s") for text in TEXTS]
    whole = OwnerIndex.build(rows_of(memos, embedder), space)
    first, second = memos[:cut], memos[cut:]
    grown = OwnerIndex.build(rows_of(first, embedder), space)
    late = rows_of(second, embedder)
    late.position[:] += cut
    extended = grown.extend(late)
    assert extended is not None
    one, other = (
        ask(whole, "which city did I move to?", top=6),
        ask(extended, "which city did I move to?", top=6),
    )
    assert one.ids == other.ids
    np.testing.assert_allclose(one.relevance, other.relevance, atol=1e-5)


def test_memory_of_other_words_asks_for_a_new_index(build: Build, embedder: LocalEmbedder) -> None:
    index = build([Memo("I drink coffee", id="a"), Memo("I own a boat", id="b")])
    assert index.extend(rows_of([Memo("I drink tea", id="a")], embedder)) is None


def test_changed_memory_keeps_its_row(build: Build, embedder: LocalEmbedder) -> None:
    index = build([Memo("I drink coffee", id="a"), Memo("I own a boat", id="b")])
    changed = index.extend(
        rows_of([Memo("I drink coffee", id="a", status="deprecated", accesses=3)], embedder)
    )
    assert changed is not None
    assert len(changed) == 2
    assert changed.column("access_count").tolist() == [3, 0]
    assert changed.words["status"].mask(["deprecated"]).tolist() == [True, False]


def test_earlier_index_is_left_as_it_was(
    build: Build, embedder: LocalEmbedder, ask: Callable[..., RankedMemories]
) -> None:
    index = build([Memo("I drink coffee", id="a")])
    before = ask(index, "coffee or tea?")
    index.extend(
        rows_of([Memo("I drink coffee", id="a", accesses=9), Memo("Tea is green", id="b")], embedder)
    )
    after = ask(index, "coffee or tea?")
    assert len(index) == 1
    assert (after.ids, after.score.tolist()) == (before.ids, before.score.tolist())


def test_index_is_extended_once(build: Build, embedder: LocalEmbedder) -> None:
    index = build(["tea"])
    index.extend(rows_of([Memo("coffee", id="a")], embedder))
    with pytest.raises(ValueError, match="next one already"):
        index.extend(rows_of([Memo("water", id="b")], embedder))


def test_extending_by_nothing_is_the_same_index(build: Build, embedder: LocalEmbedder) -> None:
    index = build(["tea"])
    assert index.extend(rows_of([], embedder)) is index


def test_more_memories_weigh_more(build: Build) -> None:
    assert build(TEXTS * 20).nbytes > build(TEXTS).nbytes > 0


def test_columns_of_unequal_length_are_refused(embedder: LocalEmbedder) -> None:
    rows = rows_of([Memo("tea")], embedder)
    values = {name: getattr(rows, name) for name in rows.__slots__}
    with pytest.raises(ValueError, match="differ in length"):
        type(rows)(**values | {"terms": []})


def test_coded_column_goes_on_from_an_earlier_one() -> None:
    column = Coded.of(["a", "b"]).grown(["b", "c"])
    assert column.names == ("a", "b", "c")
    assert column.mask(["b"]).tolist() == [False, True, True, False]


def test_speaker_addressed_by_name_is_not_counted_as_told(build: Build) -> None:
    said = [
        Memo("I love the Alps, Ben", speaker="Ana", session="s"),
        Memo("so do I", speaker="Ben", session="s"),
    ]
    assert build(said).names.values.tolist() == [1.0, 0.0]
