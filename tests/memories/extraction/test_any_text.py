"""Laws that hold whatever is said."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.extraction.chinese import sayings
from memories.extraction.english import sayings as sayings_english
from memories.extraction.rules.by_rules import extract_by_rules
from memories.values import KINDS, Candidate, Layer, Utterance
from memsite.values import MessageRole

AT = datetime(2025, 11, 21, 9, 30, tzinfo=UTC)
_WORDS = (
    "I I'm my we live prefer don't like if said remember that no, actually Rome Anna 16 , . ? : \" ' ` > 😀"
    " and but to 我 我们 住在 喜欢 不 如果 说 记住 不对， 北京 ， 。 ？ ： “ ” 的 是 叫 去年三月 ``` \n \0"
)
_NUMBERS = st.text(
    "零〇一二两三四五六七八九十百千万半几个年月日号天周岁了前后上下第住在我从0123456789-/.:,", max_size=30
)
_FRAGMENTS = st.sampled_from([*_WORDS.split(" "), "last week", "<memories x>", "</memories x>"])


def learn(text: str) -> list[Candidate]:
    return extract_by_rules([Utterance("message:1", MessageRole.USER, text, AT)])


@given(
    st.one_of(
        st.text(max_size=300),
        _NUMBERS.map("我在北京住了{}".format),
        st.lists(_FRAGMENTS, max_size=40).map(" ".join),
        st.lists(_FRAGMENTS, max_size=40).map("".join),
    )
)
@settings(max_examples=300, deadline=None)
def test_any_text_gives_well_formed_candidates(text: str) -> None:
    for candidate in learn(text):
        assert candidate.content.strip()
        assert candidate.layer == Layer.SEMANTIC
        assert candidate.kind in KINDS[Layer.SEMANTIC]
        assert candidate.confidence is not None
        assert 0.6 <= candidate.confidence <= 0.9
        assert bool(candidate.predicate) == bool(candidate.object)
        assert candidate.valid_from is not None
        assert candidate.sources == ("message:1",)
        assert "\0" not in candidate.content


@pytest.mark.parametrize(
    ("said", "since"), [("十五六年了", 2010), ("二十五六年了", 2000), ("十十年了", 2025)]
)
def test_range_of_years_counts_from_its_lower_end(said: str, since: int) -> None:
    [learnt] = learn(f"我住在北京{said}")
    assert learnt.valid_from is not None
    assert (learnt.object, learnt.valid_from.year) == ("北京", since)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
@settings(max_examples=100, deadline=None)
def test_quoted_line_is_never_learnt(text: str) -> None:
    assert learn("> " + text.replace("\r", " ").replace("\n", " ")) == [] or any(
        mark in text for mark in "\x85\x0b\x0c\u2028\u2029"
    )


@pytest.mark.parametrize(
    "unit",
    ["I ", '"a', "'b ", "<a>\n", "我，", "and my cat ", "最近", "。", "!", "\0", "😀", "```\n", "上周三"],
)
def test_long_message_of_one_repeated_part_is_read(unit: str) -> None:
    assert learn(unit * (100_000 // len(unit))) is not None


def test_lesson_of_many_origins_is_read_at_once() -> None:
    began = time.process_time()
    sayings_english.find_lesson(f"lesson{' from a' * 22}")
    assert time.process_time() - began < 1


@pytest.mark.parametrize("unit", ["前", "和前", "后内里"])
def test_goal_of_many_times_and_companions_is_read_at_once(unit: str) -> None:
    began = time.process_time()
    for _ in range(20):
        sayings.GOAL_ACT.match(unit * 60)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "goal",
    [
        "年底前考完驾照",
        "和朋友一起去日本旅行",
        "明年和家人移民",
        "在三十岁之前好好学会游泳",
        "自己好好努力去学日语",
    ],
)
def test_wish_with_a_time_or_a_companion_is_a_goal(goal: str) -> None:
    assert [one.kind for one in learn(f"我希望{goal}。")] == ["goal"]


def test_statement_at_the_end_of_a_long_message_is_not_lost() -> None:
    learnt = learn("The weather was mild that year. " * 3000 + "I live in Lyon.")
    assert [candidate.object for candidate in learnt] == ["Lyon"]


def test_zero_bytes_and_odd_line_ends_do_not_hide_a_statement() -> None:
    assert [one.object for one in learn("\0hello\0\r\nI live in\u00a0Lyon\u2028thanks")] == ["Lyon"]
