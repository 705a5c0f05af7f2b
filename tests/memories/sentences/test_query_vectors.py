"""Vectors of queries are cached, and waited for no longer than the budget."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest

from memories.retrieval.cache.query_vectors import QueryVectors
from memsite.llm.embedding import SentenceEmbedder


class SlowModel:
    """Answers only when it is allowed to."""

    def __init__(self) -> None:
        self.allowed = threading.Event()
        self.embedded: list[str] = []

    def embed_query(self, text: str) -> np.ndarray:
        assert self.allowed.wait(10)
        self.embedded.append(text)
        if text == "broken":
            raise RuntimeError
        return np.full(384, len(text), dtype=np.float32)


@pytest.fixture
def model() -> Iterator[SlowModel]:
    slow = SlowModel()
    yield slow
    slow.allowed.set()


@pytest.fixture
def vectors(model: SlowModel) -> QueryVectors:
    return QueryVectors(cast("SentenceEmbedder", model), kept=2)


def test_late_vector_is_none_and_there_the_next_time(model: SlowModel, vectors: QueryVectors) -> None:
    assert vectors.get(["cat"], seconds=0) == [None]
    model.allowed.set()
    (found,) = vectors.get(["cat"], seconds=10)
    assert found is not None
    assert found[0] == 3.0
    assert model.embedded == ["cat"]


def test_known_query_is_not_embedded_again(model: SlowModel, vectors: QueryVectors) -> None:
    model.allowed.set()
    for _ in range(3):
        vectors.get(["cat"], seconds=10)
    assert model.embedded == ["cat"]


def test_least_recent_query_is_dropped(model: SlowModel, vectors: QueryVectors) -> None:
    model.allowed.set()
    for text in ("a", "bb", "a", "ccc", "a", "bb"):
        vectors.get([text], seconds=10)
    assert model.embedded == ["a", "bb", "ccc", "bb"]


def test_failing_model_leaves_the_query_to_token_vectors(model: SlowModel, vectors: QueryVectors) -> None:
    model.allowed.set()
    assert vectors.get(["broken"], seconds=10) == [None]


def test_queries_beyond_the_queue_are_not_embedded(model: SlowModel, vectors: QueryVectors) -> None:
    vectors.get([f"query {number}" for number in range(40)], seconds=0)
    model.allowed.set()
    vectors.get(["query 15"], seconds=10)
    assert model.embedded == [f"query {number}" for number in range(16)]


def test_query_that_was_begun_is_embedded_once(model: SlowModel, vectors: QueryVectors) -> None:
    vectors.begin("cat")
    model.allowed.set()
    (found,) = vectors.get(["cat"], seconds=10)
    assert found is not None
    assert model.embedded == ["cat"]
