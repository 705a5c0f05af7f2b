"""How good the best memories are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories import conf
from memories.retrieval.ranking import Ranked
from memories.retrieval.relevance import never_rising
from tests.memories.retrieval.conftest import Build

FACTS = [
    "I am allergic to peanuts and never eat them.",
    "My sister works as a nurse in Hamburg.",
    "The invoice service listens on port 8123.",
    "我太太在医院当护士。",
    "我每周三晚上练习钢琴。",
    "Our cat is called Minka.",
]


@given(st.lists(st.floats(-5, 5), max_size=30))
def test_smoothed_sequence_never_rises_and_keeps_its_mean(values: list[float]) -> None:
    smooth = never_rising(np.array(values))
    assert (np.diff(smooth) <= 1e-9).all()
    assert len(smooth) == len(values)
    if values:
        assert abs(smooth.mean() - np.mean(values)) < 1e-6


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Am I allergic to peanuts?", 0),
        ("What is my sister's job?", 1),
        ("Where does my sister work?", 1),
        ("我老婆在哪里上班？", 3),
        ("我什么时候练钢琴", 4),
        ("What is the name of our pet?", 5),
    ],
)
def test_answer_comes_first_and_passes_the_threshold(
    build: Build, ask: Callable[..., Ranked], question: str, answer: int
) -> None:
    ranked = ask(build(FACTS), question)
    assert ranked.rows[0] == answer
    assert ranked.relevance[0] >= conf.RECALL.semantic_relevance


@pytest.mark.parametrize(
    "question",
    ["How tall is the Eiffel tower?", "Who painted the Mona Lisa?", "光合作用是怎么进行的", "火星有几颗卫星"],
)
def test_unrelated_question_passes_no_threshold(
    build: Build, ask: Callable[..., Ranked], question: str
) -> None:
    assert ask(build(FACTS), question).relevance.max() < conf.RECALL.procedural_relevance


def test_rare_identifier_has_relevance_one(build: Build, ask: Callable[..., Ranked]) -> None:
    ranked = ask(build(FACTS), "what was 8123 again")
    assert ranked.rows[0] == 2
    assert ranked.relevance[0] == 1.0


def test_relevance_stays_in_bounds(build: Build, ask: Callable[..., Ranked]) -> None:
    ranked = ask(build(FACTS), "peanuts peanuts nurse Hamburg port cat Minka", top=6)
    assert ((ranked.relevance >= 0) & (ranked.relevance <= 1)).all()


def test_home_is_found_by_the_verb_of_the_question(build: Build, ask: Callable[..., Ranked]) -> None:
    ranked = ask(build([*FACTS, "User lives in Lisbon."]), "Where do I live?")
    assert ranked.rows[0] == len(FACTS)
    assert ranked.relevance[0] >= conf.RECALL.least_relevance("semantic")
