"""Whether a question wants what is so now, what was so, or several things."""

from __future__ import annotations

import time

import pytest
from django.utils import timezone

from memories.retrieval.query import parse_query, wants_current


def wants(text: str) -> bool:
    now = timezone.now()
    return wants_current(parse_query(text, (), now), now.timestamp())


@pytest.mark.parametrize(
    "text",
    [
        "What do I do today?",
        "Where do I sleep this week?",
        "我今年的目标是什么？",
        "What's next Friday?",
    ],
)
def test_time_that_is_not_over_is_not_the_past(text: str) -> None:
    assert wants(text)


@pytest.mark.parametrize(
    "text", ["Where do I eat in May 2019?", "What's the plan of yesterday?", "上周我住哪儿？"]
)
def test_time_that_is_over_is_the_past(text: str) -> None:
    assert not wants(text)


@pytest.mark.parametrize(
    "text", ["Where do I work?", "Who cuts my hair?", "我的车停在哪？", "How do I take my coffee?"]
)
def test_question_about_now_wants_what_is_current(text: str) -> None:
    assert wants(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where did I work?", "Which hobbies do I have?", "Have I ever been to Oslo?", "我以前住哪儿？",
        "我有哪些乐器？", "我去过冰岛吗？", "What was my first car?", "How many dogs do I have?", "x" * 500,
        "Where have I worked?", "Who was it that lived in my old flat?", "What are my hobbies?",
        "What do you know about me?", "Which medicines am I allergic to?", "我对什么过敏？",
    ],
)  # fmt: skip
def test_question_about_the_past_or_for_several_wants_all(text: str) -> None:
    assert not wants(text)


@pytest.mark.parametrize(
    "text", ["¿Dónde trabajaba antes?", "Wo habe ich gearbeitet?", "前に働いていた会社は？", "Где я работал?"]
)
def test_question_whose_language_is_not_read_wants_all(text: str) -> None:
    assert not wants(text)


@pytest.mark.parametrize("text", ["shipyard Turku", "badge", "", "2 + 2", "🙂"])
def test_bare_keywords_want_all(text: str) -> None:
    assert not wants(text)


@pytest.mark.parametrize("part", ["what ", "which a b ", "tell ", "a-", "have i a", "过", "哪"])
def test_scope_of_a_long_query_is_found_at_once(part: str) -> None:
    began = time.process_time()
    for length in (400, 20_000):
        wants((part * 20_000)[:length])
    assert time.process_time() - began < 1
