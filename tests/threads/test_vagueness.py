"""What an input wants of memory, by its words alone."""

from __future__ import annotations

import time

import pytest

from threads.context.recall.vagueness import QueryDemand, classify_query


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "OK.",
        "thanks",
        "Thank you so much!",
        "ok, thanks",
        "hello",
        "Good morning!",
        "merci",
        "no problem",
        "great, thanks a lot",
        "2 + 2?",
        "What is 2+2?",
        "what's 12 * (3 + 4)",
        "17 - 5 =",
        "1+1等于几？",
        "15% of 80",
        "👍",
        "...",
        "?",
        "好的",
        "谢谢你",
        "你好",
        "好的，谢谢！",
        "嗯嗯",
        "明白了",
    ],
)
def test_polite_words_and_sums_want_nothing(text: str) -> None:
    assert classify_query(text) is QueryDemand.NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "go on",
        "why?",
        "OK, do it like the first option",
        "the second one please",
        "是的",
        "好的按第一个方案办",
        "继续",
    ],
)
def test_words_that_point_want_the_same_as_before(text: str) -> None:
    assert classify_query(text) is QueryDemand.THE_SAME


@pytest.mark.parametrize(
    "text",
    [
        "What do I like?",
        "Where do I live?",
        "Momo?",
        "8443",
        "E-4711",
        "2024-05-01",
        "555-1234",
        "3/4",
        "who am I",
        "thanks, Anna",
        "ok, and the port?",
        "hello, what is my name?",
        "我喜欢什么？",
        "我的猫叫什么",
        "好的，我住在哪里",
        "What did I tell you?",
        "my plan?",
        "coffee",
        "生日",
        "Good books?",
        "2 cats + 3 dogs",
        "yes, the vegan one",
    ],
)
def test_questions_want_something(text: str) -> None:
    assert classify_query(text) is QueryDemand.SOMETHING


@pytest.mark.parametrize(
    "sign", ["0", "1+", "(", "好", "好的", "不用", "\t", "的", "a ", "1 - ", "%", "x", "是"]
)
def test_cost_is_bounded_whatever_the_length(sign: str) -> None:
    start = time.process_time()
    for length in (80, 79, 100_000):
        classify_query((sign * length)[:length])
        classify_query((sign * length)[: length - 1] + "猫")
    assert time.process_time() - start < 2
