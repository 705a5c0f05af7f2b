"""The comparison of two wordings."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.pages.memory_page.word_difference import (
    ADDED,
    REMOVED,
    SAME,
    Part,
    compare_wordings,
    fold_parts,
)

TEXTS = st.text(alphabet=st.sampled_from("ab ,.在住我 \n"), max_size=60)


def test_a_changed_word_is_marked() -> None:
    assert compare_wordings("Alice lives in Berlin.", "Alice lives in Paris.") == [
        Part(SAME, "Alice lives in "),
        Part(REMOVED, "Berlin"),
        Part(ADDED, "Paris"),
        Part(SAME, "."),
    ]


def test_chinese_is_compared_by_characters() -> None:
    parts = compare_wordings("我住在柏林。", "我现在住在巴黎。")
    assert [part.text for part in parts if part.change == ADDED] == ["现在", "巴黎"]
    assert [part.text for part in parts if part.change == REMOVED] == ["柏林"]


def test_texts_that_share_little_are_shown_whole() -> None:
    assert compare_wordings("a b c d", "w x y z") == [Part(REMOVED, "a b c d"), Part(ADDED, "w x y z")]


def test_long_equal_parts_are_cut() -> None:
    same = "word " * 200
    parts = compare_wordings(f"{same}old {same}", f"{same}new {same}")
    assert [part.text.strip() for part in parts if part.change != SAME] == ["old", "new"]
    assert sum(len(part.text) for part in parts) < 250


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x" * 100_000, "y" * 100_000),
        ("x " * 100_000, "y " * 100_000),
        (" ".join(f"x a{n}" for n in range(290)), " ".join(f"x b{n}" for n in range(290))),
        (" ".join(f"x a{n}" for n in range(95)), " ".join(f"x b{n}" for n in range(95))),
    ],
    ids=["one word", "many words", "repeated words", "few repeated words"],
)
def test_it_takes_bounded_time_and_space(one: str, other: str) -> None:
    started = time.process_time()
    parts = compare_wordings(one, other)
    assert time.process_time() - started < 5
    assert sum(len(part.text) for part in parts) < 4000


PARTS = st.lists(st.builds(Part, st.sampled_from([SAME, REMOVED, ADDED]), TEXTS.filter(bool)), max_size=5)


@given(PARTS, st.integers(0, 90), st.integers(0, 9))
def test_folding_shows_no_more_than_asked_and_loses_nothing(
    parts: list[Part], characters: int, lines: int
) -> None:
    shown, folded = fold_parts(parts, characters=characters, lines=lines)
    visible = "".join(part.text for part in shown)
    assert len(visible) <= characters or not folded
    assert visible.count("\n") <= lines
    assert visible + "".join(part.text for part in folded) == "".join(part.text for part in parts)


@given(TEXTS, TEXTS)
def test_the_parts_give_both_texts(before: str, after: str) -> None:
    parts = compare_wordings(before, after)
    older = "".join(part.text for part in parts if part.change != ADDED)
    newer = "".join(part.text for part in parts if part.change != REMOVED)
    if "…" not in older + newer:
        assert "".join(older.split()) == "".join(before.split())
        assert newer == after
