"""The bundled sentence model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memsite.llm.embedding.sentences import (
    SentenceEmbedder,
    get_obstacle,
    get_sentence_embedder,
    quantise_vectors,
)
from memsite.llm.embedding.sentences import embedder as sentence_embedder
from memsite.llm.embedding.sentences.pieces import Tokeniser
from memsite.llm.embedding.sentences.weights import Weights, find_weights


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


def test_text_after_a_nul_is_read(embedder: SentenceEmbedder) -> None:
    whole, start = embedder.embed_query("tea\0spoon"), embedder.embed_query("tea")
    assert whole @ start < 0.99


@pytest.mark.parametrize(
    ("text", "ids"),
    [("Hello world", [0, 35378, 8999, 2]), ("Hello  world", [0, 35378, 8999, 2]), ("", [0, 6, 2])],
)
def test_text_is_split_like_by_the_model_s_own_tokeniser(text: str, ids: list[int]) -> None:
    assert Tokeniser(Weights(find_weights()).vocabulary).list_ids(text, 512).tolist() == ids


def test_long_text_is_cut_at_the_most_tokens() -> None:
    ids = Tokeniser(Weights(find_weights()).vocabulary).list_ids("one " * 600, 512)
    assert (ids.size, ids[0], ids[-1]) == (512, 0, 2)


def test_cosines_are_those_of_the_engine_that_the_weights_were_made_for() -> None:
    plain = SentenceEmbedder(is_neutral=False)
    passages = plain.embed_passages(["Our cat is called Pickle.", "The rent is due on Friday."])
    assert passages @ plain.embed_query("宠物叫什么名字？") == pytest.approx([0.788, 0.720], abs=0.005)


def test_answer_in_another_language_is_nearer_than_an_unrelated_text(embedder: SentenceEmbedder) -> None:
    answer, other = embedder.embed_passages(["My sister is a vet in Cork.", "今天地铁上人特别多。"])
    question = embedder.embed_query("我姐姐是做什么工作的？")
    assert question @ answer > question @ other


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


def test_site_without_the_weights_goes_by_token_vectors(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    monkeypatch.setattr(sentence_embedder, "find_weights", _find_nothing)
    get_obstacle.cache_clear()
    try:
        assert get_obstacle() == "no weights"
        assert get_sentence_embedder() is None
    finally:
        get_obstacle.cache_clear()


def _find_nothing() -> Path:
    raise FileNotFoundError("no weights")


def test_file_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(b"E5S2" + bytes(100))
    with pytest.raises(ValueError, match="another format"):
        Weights(tmp_path / "weights.bin")
