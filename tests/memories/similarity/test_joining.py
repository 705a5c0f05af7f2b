"""Two texts as one."""

from __future__ import annotations

import pytest

from memories.text.comparison.joining import join_texts


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("I have a dog.", "I have a dog named Otto."),
        ("I like tea.", "I like tea. I play chess."),
        ("我住在绍兴。", "我住在绍兴，养了一只猫。"),
        ("second line", "first line\nsecond line"),
        ("I'm vegan", "The user is vegan."),
    ],
)
def test_the_fuller_text_stands_for_both(less: str, more: str) -> None:
    assert join_texts(less, more) == join_texts(more, less) == more


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have a dog", "I have a dog phobia"),
        ("I like tea", "I don't think I like tea"),
        ("我住在北京", "我住在北京路"),
        ("I play chess", "I cook"),
    ],
)
def test_texts_of_which_none_contains_the_other_become_lines(one: str, other: str) -> None:
    assert join_texts(one, other) == f"{one}\n{other}"


def test_a_line_that_both_have_stands_once() -> None:
    assert join_texts("a\nb", "B.\nc") == "a\nb\nc"


def test_texts_too_long_together_stay_two() -> None:
    assert join_texts("x" * 1000, "y" * 1000) is None
    assert join_texts("x" * 1000, "y" * 999) == "x" * 1000 + "\n" + "y" * 999
