from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.normalisation import normalise


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
