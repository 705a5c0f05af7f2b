"""Near vectors and texts that share words: found, in order, and within bounds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memories.maintenance.reports.findings.blocking import find_sharing_pairs
from memories.maintenance.reports.findings.similar_pairs import find_similar_pairs


def _unit(*rows: tuple[float, ...]) -> Any:
    vectors = np.array(rows, dtype=np.float32)
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)).astype(np.float16)


def _terms(*texts: list[int]) -> list[Any]:
    return [np.array(text, dtype=np.uint32) for text in texts]


def test_near_vectors_of_one_group_are_found_nearest_first() -> None:
    vectors = _unit((1, 0), (1, 0.5), (1, 0.1), (0, 1))
    found = find_similar_pairs(vectors, ["a"] * 4, least=0.85)
    assert list(found) == [(0, 2), (1, 2), (0, 1)]
    assert found.complete


def test_vectors_of_different_groups_are_not_compared() -> None:
    assert list(find_similar_pairs(_unit((1, 0), (1, 0)), ["a", "b"], least=0.5)) == []


def test_missing_vector_is_near_nothing() -> None:
    assert list(find_similar_pairs(_unit((0, 0), (0, 0)), ["a", "a"], least=0.1)) == []


@given(st.integers(0, 2**32 - 1), st.integers(1, 700))
def test_blocks_find_what_the_whole_product_shows(seed: int, rows: int) -> None:
    drawn = np.random.default_rng(seed).standard_normal((rows, 3))
    vectors = _unit(*(tuple(row) for row in drawn))
    whole = np.triu(vectors.astype(np.float32) @ vectors.astype(np.float32).T, 1)
    found = find_similar_pairs(vectors, ["a"] * rows, least=0.999, most_pairs=10**6)
    assert sorted(found) == sorted(
        zip(*(place.tolist() for place in np.nonzero(whole >= 0.999)), strict=True)
    )


def test_too_many_products_are_said_to_be_incomplete() -> None:
    vectors = _unit(*[(1, 0)] * 600)
    assert not find_similar_pairs(vectors, ["a"] * 600, least=0.9, most_products=400_000).complete


def test_too_many_pairs_leave_the_nearest() -> None:
    vectors = _unit((1, 0), (1, 0.02), (1, 0.5))
    found = find_similar_pairs(vectors, ["a"] * 3, least=0.5, most_pairs=1)
    assert (list(found), found.complete) == ([(0, 1)], False)


def test_no_vectors_are_no_pairs() -> None:
    assert list(find_similar_pairs(np.zeros((0, 0), dtype=np.float16), [], least=0.5)) == []


def test_texts_that_share_more_come_first() -> None:
    found = find_sharing_pairs(_terms([1, 2, 3], [1, 2, 4], [1, 5, 6], [7]))
    assert next(iter(found)) == (0, 1)
    assert sorted(found) == [(0, 1), (0, 2), (1, 2)]


def test_texts_that_share_nothing_are_no_pair() -> None:
    assert list(find_sharing_pairs(_terms([1], [2], [3]))) == []
    assert list(find_sharing_pairs([])) == list(find_sharing_pairs(_terms([], []))) == []


def test_word_that_everybody_uses_brings_nobody_together() -> None:
    assert list(find_sharing_pairs(_terms(*[[1, number + 2] for number in range(65)]))) == []


@given(st.lists(st.lists(st.integers(0, 8), max_size=5), max_size=12))
def test_pairs_are_those_with_enough_in_common(texts: list[list[int]]) -> None:
    found = find_sharing_pairs(_terms(*texts))
    sharing = {(a, b) for a, b in combinations(range(len(texts)), 2) if set(texts[a]) & set(texts[b])}
    assert set(found) <= sharing
    assert len(set(found)) == len(found)
    assert found.strength.tolist() == sorted(found.strength, reverse=True)


def test_too_much_in_common_is_said_to_be_incomplete() -> None:
    texts = _terms(*[[1] for _ in range(10)])
    assert not find_sharing_pairs(texts, most_generated=10).complete
    assert (
        len(find_sharing_pairs(texts, most_pairs=3)),
        find_sharing_pairs(texts, most_pairs=3).complete,
    ) == (
        3,
        False,
    )
