"""How good the best memories are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories import conf
from memories.retrieval.ranking import RankedMemories
from memories.retrieval.ranking.relevance import make_non_increasing
from tests.memories.retrieval.conftest import Build
from tests.memories.retrieval.memos import Memo

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
    smooth = make_non_increasing(np.array(values))
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
    build: Build, ask: Callable[..., RankedMemories], question: str, answer: int
) -> None:
    ranked = ask(build(FACTS), question)
    assert ranked.rows[0] == answer
    assert ranked.relevance[0] >= conf.RECALL.semantic_relevance


@pytest.mark.parametrize(
    "question",
    ["How tall is the Eiffel tower?", "Who painted the Mona Lisa?", "光合作用是怎么进行的", "火星有几颗卫星"],
)
def test_unrelated_question_passes_no_threshold(
    build: Build, ask: Callable[..., RankedMemories], question: str
) -> None:
    assert ask(build(FACTS), question).relevance.max() < conf.RECALL.procedural_relevance


def test_turn_that_says_nothing_takes_no_relevance_from_a_fact(
    build: Build, ask: Callable[..., RankedMemories]
) -> None:
    said = ["I live in Berlin.", "Noted.", "Where do I live?", "You live in Berlin."]
    turns = [Memo(text, layer="episodic", kind="conversation", session="one") for text in said]
    ranked = ask(build([*turns, "The user lives in Berlin."]), "In which city do I live?")
    fact, idle = (ranked.relevance[ranked.rows.tolist().index(row)] for row in (4, 1))
    assert fact >= conf.RECALL.semantic_relevance > idle


def test_rare_identifier_has_relevance_one(build: Build, ask: Callable[..., RankedMemories]) -> None:
    ranked = ask(build(FACTS), "what was 8123 again")
    assert ranked.rows[0] == 2
    assert ranked.relevance[0] == 1.0


def test_relevance_stays_in_bounds(build: Build, ask: Callable[..., RankedMemories]) -> None:
    ranked = ask(build(FACTS), "peanuts peanuts nurse Hamburg port cat Minka", top=6)
    assert ((ranked.relevance >= 0) & (ranked.relevance <= 1)).all()


def test_home_is_found_by_the_verb_of_the_question(build: Build, ask: Callable[..., RankedMemories]) -> None:
    ranked = ask(build([*FACTS, "User lives in Lisbon."]), "Where do I live?")
    assert ranked.rows[0] == len(FACTS)
    assert ranked.relevance[0] >= conf.RECALL.semantic_relevance


STORE = [
    "User works at Siemens as a mechanical engineer.",
    "User prefers dark mode in every editor.",
    "User prefers Python over Java for coding.",
    "The Wi-Fi router at home shows error code E-4711 after each update.",
    "User visited Japan in March 2025.",
    "User ran the Berlin marathon in September 2023.",
    "User's favourite colour is green.",
    "Project Atlas uses PostgreSQL 18 on port 5433.",
    "User drinks green tea in the morning.",
]
STORE_ZH = [
    "用户在腾讯做后端开发。",
    "用户喜欢吃辣的火锅。",
    "用户的猫叫团子。",
    "用户住在上海浦东。",
    "家里的路由器报错。",
]


@pytest.mark.parametrize(
    "question", ["在哪里工作", "我在哪里上班", "用户的职业是什么", "在哪家公司", "你知道我是做什么的吗"]
)
def test_chinese_job_is_found_without_a_word_for_work(
    build: Build, ask: Callable[..., RankedMemories], question: str
) -> None:
    ranked = ask(build(STORE_ZH), question)
    assert ranked.rows[0] == 0
    assert ranked.relevance[0] >= conf.RECALL.semantic_relevance
    assert (ranked.relevance[1:] < conf.RECALL.semantic_relevance).all()


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("editor coding preferences", {1, 2}),
        ("home insurance cost", set()),
        ("port wine recommendations", set()),
        ("green energy stocks", set()),
        ("update the readme file", set()),
        ("What do I do for a living?", {0}),
    ],
)
def test_one_common_word_of_several_is_not_enough(
    build: Build, ask: Callable[..., RankedMemories], question: str, answers: set[int]
) -> None:
    ranked = ask(build(STORE), question)
    passing = ranked.rows[ranked.relevance >= conf.RECALL.semantic_relevance]
    assert set(passing.tolist()) == answers


@pytest.mark.parametrize("question", ["如何报税", "帮我报名", "火星有几颗卫星"])
def test_common_character_is_not_enough(
    build: Build, ask: Callable[..., RankedMemories], question: str
) -> None:
    assert ask(build(STORE_ZH), question).relevance.max() < conf.RECALL.semantic_relevance


@pytest.mark.parametrize(
    ("question", "row"), [("Did I visit Japan in 2019?", 4), ("Which marathon did I run in 2020?", 5)]
)
def test_memory_of_another_year_is_not_certain(
    build: Build, ask: Callable[..., RankedMemories], question: str, row: int
) -> None:
    ranked = ask(build(STORE), question)
    assert ranked.rows[0] == row
    assert ranked.relevance[0] <= conf.OTHER_YEAR_SHARE


def test_memory_of_the_year_asked_about_is_certain(build: Build, ask: Callable[..., RankedMemories]) -> None:
    assert ask(build(STORE), "Which marathon did I run in 2023?").relevance[0] > 0.9


@pytest.mark.parametrize("question", ["What did we do last year?", "去年我们做了什么"])
def test_event_of_the_year_asked_about_comes_before_that_of_another(
    build: Build, ask: Callable[..., RankedMemories], question: str
) -> None:
    years = range(2020, 2026)
    events = [
        Memo(f"We did trip {year - 2019}.", occurred=datetime(year, 3, 9, tzinfo=UTC)) for year in years
    ]
    ranked = ask(build(events), question)
    assert ranked.rows[0] == 5  # NOW is in 2026
    assert ranked.relevance[1] <= conf.OTHER_YEAR_SHARE
