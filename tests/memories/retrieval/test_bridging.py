"""What a question reaches by way of somebody it names only by their tie to another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from memories import conf
from memories.retrieval.ranking import RankedMemories
from memories.text.naming.statements import read_statement
from tests.memories.retrieval.conftest import Build
from tests.memories.retrieval.memos import Memo

Ask = Callable[..., RankedMemories]

TALE = (
    "Anna's sister is Bruna.",
    "Bruna has joined Halden as an accountant.",
    "Halden has its head office in Bergen.",
    "Carla works at Lumen.",
    "Dmitri has joined Vexcel as an accountant.",
    "The office was painted green.",
)
CHINESE_TALE = (
    "王芳的妹妹是陈静。",
    "陈静最近加入了云杉医院。",
    "李雷在青禾银行工作。",
    "刘洋最近加入了星桥出版社。",
    "黄磊更喜欢喝茶。",
    "办公室刷成了绿色。",
)


def told(text: str, *, session: str = "") -> Memo:
    layer = "episodic" if session else "semantic"
    return Memo(text, layer=layer, session=session, entities=read_statement(text).names)


def graph_of(ranked: RankedMemories, row: int) -> float:
    return float(ranked.breakdown["graph"][ranked.rows.tolist().index(row)])


@pytest.mark.parametrize(
    ("tale", "question"),
    [
        (TALE, "Where does Anna's sister work?"),
        (CHINESE_TALE, "王芳的妹妹在哪里上班？"),
    ],
)
def test_answer_about_who_is_named_by_a_tie_comes_second_and_passes(
    build: Build, ask: Ask, tale: tuple[str, ...], question: str
) -> None:
    ranked = ask(build([told(text) for text in tale]), question)
    assert ranked.rows[:2].tolist() == [0, 1]
    assert (ranked.relevance[:2] >= conf.RECALL.semantic_relevance).all()


@pytest.mark.parametrize("words_only", [False, True])
def test_answer_two_bridges_away_is_found(build: Build, ask: Ask, *, words_only: bool) -> None:
    index = build([told(text) for text in TALE])
    question = "In which city is the company of Anna's sister based?"
    assert set(ask(index, question, top=3, words_only=words_only).rows.tolist()) == {0, 1, 2}


@pytest.mark.parametrize("tie", ["My sister is Bruna.", "The user's sister is Bruna."])
def test_owners_own_people_are_reached_however_the_owner_is_called(build: Build, ask: Ask, tie: str) -> None:
    index = build([told(text) for text in (tie, *TALE[1:])])
    assert graph_of(ask(index, "Where does my sister work?", top=6), 1) > 0


def test_name_in_traditional_characters_reaches_the_simplified_one(build: Build, ask: Ask) -> None:
    ranked = ask(build([told(text) for text in CHINESE_TALE]), "陳靜喜歡什麼", top=6)
    assert graph_of(ranked, 1) > graph_of(ranked, 2) == 0


def test_question_that_names_nobody_is_handed_nothing(build: Build, ask: Ask) -> None:
    ranked = ask(build([told(text) for text in TALE]), "who joined as an accountant?", top=6)
    assert not ranked.breakdown["graph"].any()


def test_memory_that_may_not_answer_is_no_bridge(build: Build, ask: Ask) -> None:
    index = build([told(text) for text in TALE])
    mask = np.arange(len(TALE)) > 0
    assert not ask(index, "Where does Anna's sister work?", top=6, mask=mask).breakdown["graph"].any()


def test_turns_of_talk_are_handed_nothing(build: Build, ask: Ask) -> None:
    talk = [told(text, session="s") for text in TALE]
    ranked = ask(
        build([*talk, told("The cellar key hangs behind the boiler.")]), "Where does Anna's sister work?"
    )
    assert not ranked.breakdown["graph"].any()


def test_entity_of_most_memories_leads_nowhere(build: Build, ask: Ask) -> None:
    crowd = [told(f"Bruna was seen at window {place}.") for place in range(30)]
    ranked = ask(build([*(told(text) for text in TALE), *crowd]), "Where does Anna's sister work?", top=6)
    assert not ranked.breakdown["graph"][ranked.rows == 1].any()


@pytest.mark.parametrize("question", ["How tall is Anna's house?", "王芳的车是什么颜色？"])
def test_bridge_that_covers_little_lifts_nothing_over_the_threshold(
    build: Build, ask: Ask, question: str
) -> None:
    ranked = ask(build([told(text) for text in (*TALE, *CHINESE_TALE)]), question, top=12)
    reached = np.isin(ranked.rows, [1, 2, 7])
    assert (ranked.relevance[reached] < conf.RECALL.semantic_relevance).all()
