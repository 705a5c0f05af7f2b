"""What holds of any two texts."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memories.text.comparison.contradiction import find_contradiction
from memories.text.comparison.contrast import find_differences
from memories.text.comparison.joining import join_texts
from memories.text.comparison.losslessness import find_invented_details, find_lost_details
from memories.text.comparison.reading import get_content
from memories.text.comparison.wording import has_same_wording
from memories.text.comparison.words import tokens

VOCABULARY = """
    I my the user not never don't like likes hate Anna Ben to from before after than and or with without
    3 12 two 2024-05-06 March 3, at 5 pm 5:30 10% $20 v2.1 . , ? ; it's live in Berlin used always only
    my wife's was 我 用户 的 不 没有 喜欢 讨厌 北京 从 到 比 三 两只 十二 月 日 周三 下午 点 半 百分之 了 过
    吗 ， 。 小王 叫 《 》 老婆
"""
WORDS = st.sampled_from(VOCABULARY.split())
SENTENCES = st.lists(WORDS, max_size=14).map(" ".join)
TEXTS = st.one_of(
    SENTENCES, st.text(max_size=60), st.text(alphabet="0123456789年月日点:：/-.,%$不没 apm", max_size=20)
)


@given(TEXTS, TEXTS)
def test_the_order_of_the_two_texts_makes_no_difference(one: str, other: str) -> None:
    assert find_differences(one, other) == find_differences(other, one)
    assert has_same_wording(one, other) == has_same_wording(other, one)
    assert find_contradiction(one, other) == find_contradiction(other, one)


#: Words in which owners, clauses and joining words meet, and the same words in another order.
AWKWARD_WORDS = """
    The user|their|they|them|the user's wok|cooks with|is for cooking|no oven used|and|or|not|then|after|over
    |rather than|C++|node.js:8080|sugar-free|US|no longer|used to|neither|nor|his|her|Anna|Ben|to|by|,|.|:|?|;
    |'s|他们|他的|用户|的|锅|从|到|比|然后|和|，|。|\x00|🍳|ﷺ|don't|3|10%|A/B|an|one|every other
"""
AWKWARD = st.lists(
    st.sampled_from([each.strip(" \n") for each in AWKWARD_WORDS.split("|")]), max_size=14
).map(tuple)


@example(
    ("The user", "cooks with", "their", "wok", ",", "no oven used"),
    ("the user's", "wok", "is for cooking", ",", "no oven used"),
)
@settings(max_examples=400)
@given(AWKWARD, st.one_of(AWKWARD, st.none()))
def test_any_two_texts_can_be_compared(words: tuple[str, ...], others: tuple[str, ...] | None) -> None:
    one, other = " ".join(words), " ".join(reversed(words) if others is None else others)
    assert find_differences(one, other) is not None
    assert find_contradiction(one, other) is not None
    assert has_same_wording(one, other) in {True, False}


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert find_differences(text, text) == frozenset()
    assert find_contradiction(text, text) == ""
    assert find_differences(text, text + " ") == frozenset()


@given(TEXTS)
def test_a_text_keeps_all_it_says(text: str) -> None:
    assert find_lost_details([text], text) == frozenset()
    assert find_invented_details([text], text) == frozenset()


@given(TEXTS, TEXTS)
def test_what_is_kept_apart_is_never_the_same_wording(one: str, other: str) -> None:
    assert not (has_same_wording(one, other) and find_differences(one, other))


@given(SENTENCES, SENTENCES, st.integers(100, 1899), st.integers(100, 1899))
def test_one_number_changed_is_always_a_number_changed(before: str, after: str, one: int, other: int) -> None:
    texts = [f"{before}; gate {number} here; {after}" for number in (one, other)]
    assert ("number" in find_differences(*texts)) == (one != other)
    assert not has_same_wording(*texts) or one == other


@given(SENTENCES, st.sampled_from(["Zora", "Quill", "Ypres"]), st.sampled_from(["Milo", "Vex", "Kobe"]))
def test_one_name_changed_is_always_a_name_changed(before: str, one: str, other: str) -> None:
    assert "name" in find_differences(f"{before} via {one}", f"{before} via {other}")


@given(SENTENCES, st.integers(100, 1899))
def test_a_number_left_out_is_lost_and_one_put_in_is_invented(text: str, number: int) -> None:
    said = f"{text}; gate {number + 100_000} here"
    assert f"number {number + 100_000}" in find_lost_details([said], text)
    assert f"number {number + 100_000}" in find_invented_details([text], said)


@given(TEXTS, TEXTS)
def test_a_joined_text_holds_the_lines_of_both_or_is_one_of_them(one: str, other: str) -> None:
    both = join_texts(one, other)
    assert both is not None
    assert both in {one, other} or find_lost_details([one, other], both) <= find_lost_details(
        [one, other], f"{one}\n{other}"
    )


@given(st.text(alphabet=string.printable + "不没从到《》“”１２年月日\u0300\ud7ff", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for ask in (find_differences, has_same_wording, find_contradiction, join_texts):
        ask(text, text[::-1])
    find_lost_details([text], text[::-1])


@given(TEXTS)
def test_bare_words_read_in_a_row_are_those_read_one_by_one(text: str) -> None:
    in_a_row = get_content(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tokens, "_WORDS", re.compile("(?!)"))
        assert get_content(text) == in_a_row
