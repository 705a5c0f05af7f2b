"""The bundled sentence model, and what is kept from its C code."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pytest

from memsite.llm.embedding import sentence_embedding
from memsite.llm.embedding.sentence_embedding import (
    SentenceEmbedder,
    clean_text,
    get_obstacle,
    get_sentence_embedder,
    quantise_vectors,
)


@pytest.fixture(scope="module")
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


def test_question_is_nearer_to_its_answer_than_to_other_text(embedder: SentenceEmbedder) -> None:
    answer, other = embedder.embed_passages(["Our cat is called Pickle.", "The rent is due on Friday."])
    question = embedder.embed_query("宠物叫什么名字？")
    assert question @ answer > question @ other


def test_vectors_have_unit_length_and_blank_text_has_none(embedder: SentenceEmbedder) -> None:
    lengths = np.linalg.norm(embedder.embed_passages(["A kettle.", " \n\0 "]), axis=1)
    assert lengths == pytest.approx([1.0, 0.0], abs=1e-5)


@pytest.mark.parametrize(
    "text",
    ["\ufdfa" * 600, "a\0b", "\ud800x", "🙂🇩🇪", "x" * 1_000_000],
    ids=["expanding ligature", "NUL", "half a surrogate pair", "emoji", "a million characters"],
)
def test_odd_text_is_embedded(embedder: SentenceEmbedder, text: str) -> None:
    assert np.linalg.norm(embedder.embed_query(text)) == pytest.approx(1.0, abs=1e-5)


def test_no_character_given_to_the_engine_stands_for_many() -> None:
    whole = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x20000)]))
    cleaned = [clean_text(whole[at : at + 100], 4_000) for at in range(0, len(whole), 100)]
    assert all(unicodedata.is_normalized("NFKC", some) for some in cleaned)


def test_text_after_a_nul_is_read() -> None:
    assert clean_text("a\0b\ud800c", 10) == "a bc"


def test_quantised_vector_keeps_its_direction() -> None:
    vectors = np.random.default_rng(7).standard_normal((5, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    packed = quantise_vectors(vectors).astype(np.float32)
    cosines = (packed * vectors).sum(axis=1) / np.linalg.norm(packed, axis=1)
    assert cosines.min() > 0.999


def test_zero_vector_stays_zero_when_quantised() -> None:
    assert not quantise_vectors(np.zeros((1, 384), dtype=np.float32)).any()


def test_tokens_setting_leaves_the_model_out(settings: Any) -> None:
    settings.MEMSITE_EMBEDDING = "tokens"
    assert get_sentence_embedder() is None


def test_processor_without_avx2_is_left_to_token_vectors(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    monkeypatch.setattr(sentence_embedding.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sentence_embedding, "_processor_flags", lambda: frozenset({"sse2", "fma"}))
    get_obstacle.cache_clear()
    try:
        assert get_obstacle() == "this processor lacks avx2"
        assert get_sentence_embedder() is None
    finally:
        get_obstacle.cache_clear()
