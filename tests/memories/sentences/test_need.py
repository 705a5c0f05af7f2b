"""What a query's sentence vector says by itself, and how cosines are compared."""

from __future__ import annotations

import numpy as np
import pytest

from memories.retrieval.estimates import estimate_need, estimate_relevance
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


@pytest.mark.parametrize(
    ("text", "fitting", "other"),
    [
        (
            "help me refactor this module",
            "Prefers functional programming in TypeScript",
            "Allergic to peanuts",
        ),
        ("What health problems do I have?", "The user has asthma.", "The user works at a bakery."),
        ("今晚吃什么？", "用户对花生过敏", "用户住在杭州"),
        ("我养了什么宠物？", "I have a cat named Mimi.", "I play the cello."),
    ],
)
def test_memory_of_the_field_of_an_input_matters_more(
    embedder: SentenceEmbedder, text: str, fitting: str, other: str
) -> None:
    query, vectors = embedder.embed_query(text), embedder.embed_passages([fitting, other])
    first, second = estimate_relevance(query, vectors, need=estimate_need(query))
    assert first > second + 1


def test_relevance_does_not_depend_on_the_other_memories(embedder: SentenceEmbedder) -> None:
    query = embedder.embed_query("Where do I live?")
    vectors = embedder.embed_passages(["I live in Oslo.", "I planted beans.", "Our boat leaks."])
    alone, beside = (estimate_relevance(query, some, need=1.0)[0] for some in (vectors[:1], vectors))
    assert alone == pytest.approx(beside, abs=1e-5)


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
