"""What a text shows about itself."""

from __future__ import annotations

import numpy as np
import pytest

from memories.text.cues import Cue, count_names, find_cues


@pytest.mark.parametrize("text", ["Do you like tea?", "Really?!", "你喜欢喝茶吗", "你呢？"])
def test_closing_question_is_seen(text: str) -> None:
    assert find_cues(text) & Cue.IS_QUESTION


def test_question_in_the_middle_asks_but_is_not_a_question() -> None:
    cues = find_cues("How are you? I am fine.")
    assert cues & Cue.ASKS
    assert not cues & Cue.IS_QUESTION


@pytest.mark.parametrize(
    "text", ["I left yesterday", "since last May", "three days later", "我去年搬家", "三天前到的"]
)
def test_time_expression_is_seen(text: str) -> None:
    assert find_cues(text) & Cue.TIME


@pytest.mark.parametrize("text", ["You may go", "They march on", "我喜欢茶"])
def test_text_without_time_shows_none(text: str) -> None:
    assert not find_cues(text) & Cue.TIME


def test_names_within_sentences_are_counted() -> None:
    cues = np.array([find_cues("We met Ana and went to the Alps. Then home."), find_cues("nothing here")])
    assert count_names(cues).tolist() == [2, 0]


def test_names_in_a_text_with_a_question_are_counted() -> None:
    cues = find_cues("We met Ana in Rome. Do you know her?")
    assert count_names(np.array([cues])).tolist() == [2]
    assert cues & Cue.IS_QUESTION


@pytest.mark.parametrize(
    "text",
    [
        "I'm in Rome for two weeks",
        "visiting my aunt in Oslo",
        "这两周我在北京出差",
        "在大理待了三天",
        "暂时住我妈家",
    ],
)
def test_limited_stay_is_seen(text: str) -> None:
    assert find_cues(text) & Cue.TEMPORARY


@pytest.mark.parametrize(
    "text", ["I moved to Paris", "I've been here for two weeks now", "我住在武汉", "这周入职了"]
)
def test_text_without_a_limit_shows_none(text: str) -> None:
    assert not find_cues(text) & Cue.TEMPORARY
