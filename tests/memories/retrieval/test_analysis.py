"""Text to terms, English and Chinese, identifiers whole and in parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.text import analysis
from memories.text.analysis import (
    analyse_text,
    analyse_texts,
    find_identifiers,
    hash_term,
    list_terms,
    unpack_terms,
)


def test_function_words_are_dropped_and_the_rest_stemmed() -> None:
    assert list_terms("The dogs were running to the houses") == ["dog", "run", "hous"]


@pytest.mark.parametrize(("form", "base"), [("went", "go"), ("bought", "buy"), ("children", "child")])
def test_irregular_form_meets_its_base(form: str, base: str) -> None:
    assert list_terms(form) == list_terms(base)


@pytest.mark.parametrize(("form", "verb"), [("lives", "live"), ("leaves", "leave")])
def test_third_person_meets_its_verb(form: str, verb: str) -> None:
    assert list_terms(form) == list_terms(verb)


def test_chinese_gives_characters_and_bigrams_without_particles() -> None:
    assert list_terms("喜欢吃辣的") == ["喜", "欢", "吃", "辣", "喜欢", "欢吃", "吃辣", "辣的"]


def test_punctuation_parts_chinese_runs() -> None:
    assert "辣北" not in list_terms("吃辣。北京")


@pytest.mark.parametrize(
    ("piece", "part"),
    [
        ("user_id", "user"),
        ("parseQuery", "queri"),
        ("report-v2.docx", "report"),
        ("anna@example.org", "anna"),
        ("ERR_CONNECTION_42", "connect"),
        ("v2.11.0", "11"),
    ],
)
def test_identifier_is_found_whole_and_by_part(piece: str, part: str) -> None:
    terms = list_terms(f"see {piece}, please")
    assert piece.lower() in terms
    assert part in terms


@pytest.mark.parametrize(
    "text", ["5432", "E1047", "v2.1.0", "main.py", "userId", "covid-19", "C++", "a@b.org"]
)
def test_exact_spelling_counts_as_identifier(text: str) -> None:
    assert find_identifiers(f"about {text} now") == [text.lower()]


@pytest.mark.parametrize(
    "text", ["2023", "18th", "10:30", "well-known", "two-year-old", "and/or", "7pm", "it's"]
)
def test_ordinary_numbers_and_words_are_no_identifiers(text: str) -> None:
    assert find_identifiers(f"about {text} now") == []


def test_thousands_separator_does_not_matter() -> None:
    assert list_terms("1,200 dollars") == list_terms("1200 dollars")


def test_accents_and_width_do_not_matter() -> None:
    assert list_terms("Ｃafé") == list_terms("cafe")


def test_acronym_spelt_like_a_function_word_stays() -> None:
    assert list_terms("moved to the US") == ["move", "us"]


def test_packed_terms_repeat_for_frequency() -> None:
    assert unpack_terms(analyse_text("tea and tea").terms).tolist() == [hash_term("tea")] * 2


def test_length_counts_content_words_and_pairs_of_characters() -> None:
    assert analyse_text("I drink green tea").length == 3
    assert analyse_text("喜欢绿茶").length == 2


@given(st.text())
def test_any_text_is_analysed_alike_alone_and_in_a_batch(text: str) -> None:
    alone = analyse_text(text)
    assert analyse_texts([text]) == [alone]
    assert len(alone.terms) % np.dtype("<u4").itemsize == 0
    assert alone.length >= 0


@given(st.text())
def test_index_and_query_agree_on_terms(text: str) -> None:
    assert unpack_terms(analyse_text(text).terms).tolist() == [hash_term(term) for term in list_terms(text)]


def test_text_that_grows_when_unified_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern, lengths = analysis._RUN, []  # noqa: SLF001 - what reads the text

    class Recorder:
        def findall(self, text: str) -> list[str]:
            lengths.append(len(text))
            return pattern.findall(text)

    monkeypatch.setattr(analysis, "_RUN", Recorder())
    assert analyse_text("\ufdfa " * 10_000).length == 40_000
    assert max(lengths) <= 2 * 16_384
