"""Duplicates that need no model."""

from __future__ import annotations

import pytest

from memories.text.comparison.wording import compute_wording_key, has_same_wording

SAME = [
    ("I'm left-handed.", "I am left-handed"),
    ("I own a kayak.", "The user has a kayak."),
    ("I don't like jazz.", "The user does not like jazz."),
    ("My son's name is Pekka.", "My son is called Pekka."),
    ("I'd like to learn Basque.", "The user wants to learn Basque."),
    ("My favourite colour is teal.", "The user's favorite color is teal."),
    ("The pod restarts at 2 p.m.", "The pod restarts at 14:00"),
    ("I pay $1,500 in rent.", "I pay 1500 dollars in rent."),
    ("I like to row.", "I like rowing."),
    ("The exam is on 2 June 2025.", "The exam is on 2025-06-02."),
    ("I prefer rail to road.", "I prefer rail over road."),
    ("我住在嘉兴。", "用户住在嘉兴"),
    ("我養了兩隻鸚鵡。", "我养了2只鹦鹉。"),
    ("我媽媽是醫生。", "我母亲是医生。"),
    ("闹钟在早上六点半。", "闹钟在 6:30"),
    ("接口的端口是9443。", "接口端口是 9443"),
    ("我在邮局上班。", "我目前在邮局工作。"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_words_said_again_are_one(one: str, other: str) -> None:
    assert has_same_wording(one, other)


TWO = [
    ("I have few friends.", "I have a few friends."),
    ("My friend lives in Rome.", "My friends live in Rome."),
    ("They visited us.", "They visited the US."),
    ("I want to be a doctor.", "I want a doctor."),
    ("I have a plan.", "I have a plane."),
    ("I study the universe.", "I study at university."),
    ("I was vegan.", "I am vegan."),
    ("I don't like it.", "I don't really like it."),
    ("My hint is 007.", "My hint is 07."),
    ("I have three boats.", "I have a third boat."),
    ("I use C.", "I use C++."),
    ("I like Anna but not Ben.", "I like Ben but not Anna."),
    ("I sing in the bath.", "Do I sing in the bath?"),
    ("I eat.", "I eat 🍕"),
    ("I go every day.", "I go every other day."),
    ("My wife called Anna.", "My wife is called Anna."),
    ("My brother lives here.", "My brother-in-law lives here."),
    ("我喜欢的人。", "我喜欢人。"),
    ("我买了车。", "我买车。"),
    ("我有三四个朋友。", "我有三十四个朋友。"),
    ("我住在北京。", "我住在北京路。"),
    ("我不喝酒了。", "我喝酒了。"),
    ("我是老师。", "我老师。"),
    ("我去过日本。", "我去日本。"),
    ("我住在这里吗？", "我住在这里。"),
]


@pytest.mark.parametrize(("one", "other"), TWO)
def test_small_words_that_change_the_meaning_make_two(one: str, other: str) -> None:
    assert not has_same_wording(one, other)


def test_texts_equal_only_as_far_as_they_are_read_are_two() -> None:
    long = "I like tea. " * 500
    assert not has_same_wording(long, long + "I like milk.")


def test_marks_alone_say_nothing() -> None:
    assert not has_same_wording("...", "!!")


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_words_have_one_key(one: str, other: str) -> None:
    assert compute_wording_key(one) == compute_wording_key(other) != b""


def test_what_is_not_read_whole_has_no_key() -> None:
    assert compute_wording_key("word " * 20_000) == b""
