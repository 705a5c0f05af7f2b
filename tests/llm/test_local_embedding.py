"""The embedded default."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Encoding

from memsite.llm.embedding.embedding import TokenEmbedder
from memsite.llm.embedding.local_embedding import LocalEmbedder

EMBEDDER = LocalEmbedder()


def similarity(first: str, second: str) -> float:
    one, other = EMBEDDER.embed([first, second])
    return float(one @ other)


def test_it_is_an_embedder_with_tokens() -> None:
    assert isinstance(EMBEDDER, TokenEmbedder)
    assert EMBEDDER.token_vectors.shape[1] == EMBEDDER.dimensions


@given(st.lists(st.text(), max_size=4))
def test_vectors_have_length_one_or_zero(texts: list[str]) -> None:
    lengths = np.linalg.norm(EMBEDDER.embed(texts), axis=1)
    assert all(np.isclose(length, 1, atol=1e-5) or length == 0 for length in lengths)


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_blank_text_is_a_zero_vector_without_tokens(text: str) -> None:
    assert not EMBEDDER.embed([text]).any()
    assert EMBEDDER.token_ids([text])[0].size == 0


def test_text_is_nearer_to_its_paraphrase_than_to_another() -> None:
    text = "She bought a new car"
    assert similarity(text, "She purchased an automobile") > similarity(text, "The soup is cold today")


def test_character_outside_the_vocabulary_is_one_token() -> None:
    assert EMBEDDER.token_ids(["吃辣"])[0].size == 2


def test_texts_sharing_a_rare_character_are_alike() -> None:
    assert similarity("吃辣", "爱吃辣椒") > similarity("吃辣", "天气")


def test_batch_gives_what_single_texts_give() -> None:
    texts = ["one text", "another, longer text with more in it"]
    np.testing.assert_allclose(EMBEDDER.embed(texts)[1], EMBEDDER.embed(texts[1:])[0], atol=1e-6)


def test_every_token_has_a_vector() -> None:
    ids = EMBEDDER.token_ids(["naïve 鲲鹏 🎉 \ud800 end"])[0]
    assert ids.max() < len(EMBEDDER.token_vectors)


def test_tokens_fit_sixteen_bits() -> None:
    assert len(EMBEDDER.token_vectors) <= 2**16


@pytest.mark.parametrize(
    "text", ["The port is 8080, not a.b-c (x).", "</s> x <s>y", "two  spaces\nand lines"]
)
def test_text_of_ascii_has_the_tokens_it_has_among_other_letters(text: str) -> None:
    alone, among = EMBEDDER.token_ids([text, f"{text} 鲲"])
    assert [*alone] == [*among[: alone.size]]


@pytest.mark.parametrize("unit", ["我喜欢茶。 ", "naïve café 😀 ", "a-b_c.d/e:f "])
def test_text_longer_than_a_part_has_the_tokens_of_its_words(unit: str) -> None:
    once, often = EMBEDDER.token_ids([f"{unit}é", f"{unit * 1_000}é"])
    assert [*often] == [*once[:-1]] * 1_000 + [once[-1]]


@pytest.mark.parametrize("unit", ["😀", "中", "a", "\u0301\u0323", "word "])
def test_tokeniser_reads_a_long_text_in_short_parts(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    lengths = []

    class Recorder:
        def encode(self, text: str, **options: bool) -> Encoding:
            lengths.append(len(text))
            return tokenizer.encode(text, **options)

    embedder = LocalEmbedder()
    tokenizer = embedder._tokenizer  # noqa: SLF001 - the tokeniser itself
    monkeypatch.setitem(embedder.__dict__, "_tokenizer", Recorder())
    embedder.token_ids([unit * 20_000])
    assert max(lengths) <= 1_024
