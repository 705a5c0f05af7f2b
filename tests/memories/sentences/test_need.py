"""What a query's sentence vector says by itself, and how cosines are compared."""

from __future__ import annotations

import numpy as np
import pytest

from memories.retrieval.estimates import estimate_need, expect_cosine
from memories.retrieval.index.sentences import SentenceField
from memsite.llm.embedding import SentenceEmbedder, quantise_vectors


@pytest.fixture(scope="module")
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


@pytest.mark.parametrize(
    "text",
    [
        "Which school does my niece go to?",
        "Suggest a hobby for me.",
        "我舅舅是做什么的？",
        "今晚我喝什么好？",
    ],
)
def test_input_about_oneself_needs_memory(embedder: SentenceEmbedder, text: str) -> None:
    assert estimate_need(embedder.embed_query(text)) > 0


@pytest.mark.parametrize(
    "text", ["Who discovered radium?", "Write a sonnet about rain.", "9 * 14", "长城有多长？", "写个冒泡排序"]
)
def test_general_input_needs_none(embedder: SentenceEmbedder, text: str) -> None:
    assert estimate_need(embedder.embed_query(text)) < 0


def test_usual_cosine_is_that_of_unrelated_sentences(embedder: SentenceEmbedder) -> None:
    query = embedder.embed_query("When does the bakery close?")
    passages = embedder.embed_passages(["I planted beans.", "Our boat leaks.", "Tom plays chess on Sundays."])
    assert expect_cosine(query) == pytest.approx(float((passages @ query).mean()), abs=0.05)


def test_row_like_many_others_falls_behind_a_distinct_one() -> None:
    crowd = np.ones((40, 8)) + np.random.default_rng(3).normal(0, 0.02, (40, 8))
    vectors = np.vstack([crowd, [[1, 1, 1, 1, 1, 0, 0, 0]]]).astype(np.float32)
    field = SentenceField.build(quantise_vectors(vectors))
    query = np.array([1, 1, 1, 1, 1, 0.55, 0.55, 0.55], dtype=np.float32)
    cosines = field.compute_cosines(query / np.linalg.norm(query))
    everything = np.ones(41, dtype=bool)
    distinct = field.subtract_crowd(cosines, everything)
    assert (np.argsort(-cosines)[-1], np.argsort(-distinct)[0]) == (40, 40)


def test_few_rows_keep_their_order() -> None:
    field = SentenceField.build(quantise_vectors(np.eye(3, 8, dtype=np.float32)))
    cosines = np.array([0.3, 0.9, 0.5], dtype=np.float32)
    distinct = field.subtract_crowd(cosines, np.ones(3, dtype=bool))
    assert np.diff(distinct) == pytest.approx(np.diff(cosines))
