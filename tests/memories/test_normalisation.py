from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.text.normalisation import normalise, simplify, unify


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice lives in Berlin.", "alice  LIVES in berlin"),
        ("Ｐｙｔｈｏｎ３", "python3"),
        ("用户喜欢咖啡。", "用户喜欢咖啡"),
        ("straße", "STRASSE"),
    ],
)
def test_same_words_written_otherwise_are_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("3.5", "35"),
        ("-5", "5"),
        ("5%", "5"),
        ("🍕", "🍣"),
        ("की", "कि"),
        ("$5", "€5"),
    ],
)
def test_signs_that_tell_things_apart_stay(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("陳靜喜歡喝綠茶。", "陈静喜欢喝绿茶"),
        ("黃偉", "黄伟"),
        ("他姪子看著臺灣的書", "他侄子看着台湾的书"),
        ("瞭解祇有藉口", "了解只有借口"),
    ],
)
def test_traditional_and_simplified_are_the_same(traditional: str, simplified: str) -> None:
    assert normalise(traditional) == normalise(simplified)


@given(st.text(st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF)))
def test_simplifying_keeps_every_place_and_is_done_at_once(text: str) -> None:
    assert len(simplify(text)) == len(text)
    assert simplify(simplify(text)) == simplify(text)


def test_case_and_punctuation_stay_when_a_text_is_unified() -> None:
    assert unify("Ｍｅｍｓｉｔｅ，陳靜！") == "Memsite,陈静!"


def test_older_rules_keep_traditional_characters() -> None:
    assert normalise("陳靜", rules=1) == "陳靜"


@pytest.mark.parametrize("unit", ["e\u0301", "ＡＢ", "가\u11a8", "陳靜，", "ﬁn ", "\u0301", "한ㄱ"])
def test_long_text_has_the_same_form_as_a_short_one(unit: str) -> None:
    text = unit * 2_000
    assert unify(text) == simplify(unicodedata.normalize("NFKC", text))


def test_marks_out_of_order_take_linear_time() -> None:
    began = time.process_time()
    unify("\u0301\u0323" * 10_000)
    assert time.process_time() - began < 2
