"""What makes two names the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.text.naming.keys import (
    LONGEST_KEY,
    OWNER,
    hash_name,
    list_name_candidates,
    make_name_key,
    pack_names,
    unpack_hashes,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "BOB"),
        ("Bob", "Ｂｏｂ"),
        ("Bob", "Bob's"),
        ("James", "James’"),
        ("St. Mary's  Hospital", "st mary's hospital"),
        ("陳偉", "陈伟"),
        ("me", "用户"),
        ("The user", "我"),
    ],
)
def test_same_name_in_another_writing_has_the_same_key(one: str, other: str) -> None:
    assert make_name_key(one) == make_name_key(other) != ""


@pytest.mark.parametrize(("one", "other"), [("C", "C++"), ("C#", "C++"), ("Bob", "Bobby"), ("陈伟", "陈薇")])
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert make_name_key(one) != make_name_key(other)


def test_owner_has_one_key() -> None:
    assert make_name_key("I") == OWNER


@given(st.text(max_size=400))
def test_key_is_its_own_key_and_fits_the_column(text: str) -> None:
    key = make_name_key(text)
    assert make_name_key(key) == key
    assert len(key) <= LONGEST_KEY


def test_packed_names_are_their_keys_hashes_each_once() -> None:
    packed = pack_names(["Bob", "BOB", "", "陳偉"])
    assert unpack_hashes(packed) == {hash_name("bob"), hash_name("陈伟")}
    assert len(packed) == 8


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("who in New York knows Anna's sister?", "New York"),
        ("who in New York knows Anna's sister?", "Anna"),
        ("谁认识張偉?", "张伟"),
        ("Anna在哪里工作", "Anna"),
        ("where does my sister live", "user"),
    ],
)
def test_every_stretch_may_be_a_name(text: str, name: str) -> None:
    assert make_name_key(name) in set(list_name_candidates(text))
