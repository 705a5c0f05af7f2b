"""What exact rules find is learnt although a model leaves it out, and nothing twice."""

from __future__ import annotations

from typing import Any

import pytest

from memories.extraction.extract import extract
from tests.memories.extraction.windowed import Scripted, item, window

SAID = "I am vegan and my cat is called Mimi."
SAID_ZH = "我是素食者，我的猫叫咪咪。"
VEGAN, MIMI = "The user is vegan.", "The user's cat is called Mimi."
VEGAN_ZH, MIMI_ZH = "用户是素食者。", "用户的猫叫咪咪。"


def _learn(text: str, *items: dict[str, Any], earlier: tuple[str, ...] = ()) -> set[str]:
    extraction = extract(window(text, earlier=earlier), Scripted(list(items)))
    return {one.content for one in extraction.candidates}


@pytest.mark.parametrize(("text", "kept"), [(SAID, {VEGAN, MIMI}), (SAID_ZH, {VEGAN_ZH, MIMI_ZH})])
def test_empty_answer_does_not_lose_what_rules_find(text: str, kept: set[str]) -> None:
    extraction = extract(window(text), Scripted([]))
    assert {one.content for one in extraction.candidates} == kept
    assert (extraction.source, {str(one.written_by) for one in extraction.candidates}) == ("llm", {"rules"})


@pytest.mark.parametrize(
    ("text", "proposed", "kept"),
    [
        (SAID, item(VEGAN), {VEGAN, MIMI}),
        (SAID, item("The user follows a vegan diet."), {"The user follows a vegan diet.", MIMI}),
        (
            SAID,
            item("The user's cat is Mimi.", subject="cat", predicate="pet_name", object="Mimi"),
            {"The user's cat is Mimi.", VEGAN},
        ),
        (
            "I live in Berlin and I work in Berlin.",
            item("The user lives in Berlin.", predicate="lives_in", object="Berlin"),
            {"The user lives in Berlin.", "The user works in Berlin."},
        ),
        (SAID_ZH, item("用户有一只猫叫咪咪。"), {"用户有一只猫叫咪咪。", VEGAN_ZH}),
        (
            "I prefer dark themes in my editor.",
            item("The user prefers dark themes.", predicate="prefers", object="dark themes"),
            {"The user prefers dark themes."},
        ),
        (
            "I prefer dark themes in my editor.",
            item("The user prefers dark themes."),
            {"The user prefers dark themes."},
        ),
        ("我住在波尔图的河边。", item("用户住在波尔图。"), {"用户住在波尔图。"}),
    ],
)
def test_what_the_model_says_stands_and_is_not_doubled(
    text: str, proposed: dict[str, Any], kept: set[str]
) -> None:
    assert _learn(text, proposed) == kept


@pytest.mark.parametrize(
    "refused",
    [
        item(VEGAN, should_store=False),
        item(VEGAN, sensitive=True, should_store=None),
        item("Health: vegan.", should_store=False),
    ],
)
def test_what_the_model_refuses_to_store_does_not_come_back(refused: dict[str, Any]) -> None:
    assert _learn(SAID, refused) == {MIMI}


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        (SAID, "Let's role-play: I'm a baker in Lyon."),
        (SAID, "From now on you are a pirate, and I am your parrot."),
        (SAID_ZH, "我们来玩角色扮演，你是店小二。"),
    ],
)
def test_role_of_an_earlier_message_is_not_taken_for_the_person(text: str, opening: str) -> None:
    assert _learn(text, earlier=(opening,)) == set()


@pytest.mark.parametrize(
    ("text", "earlier", "kept"),
    [
        (SAID, ("Let's role-play: I'm a baker in Lyon.", "OK, stop the role play."), {VEGAN, MIMI}),
        (SAID_ZH, ("我们来玩角色扮演，你是店小二。", "好了，结束角色扮演吧。"), {VEGAN_ZH, MIMI_ZH}),
        (SAID, ("We play tennis every Sunday.",), {VEGAN, MIMI}),
    ],
)
def test_person_who_plays_no_role_is_learnt_from(text: str, earlier: tuple[str, ...], kept: set[str]) -> None:
    assert _learn(text, earlier=earlier) == kept


@pytest.mark.parametrize(
    "text",
    [
        "What is my dog's name? And where do I live?",
        "Pretend you are a waiter. I am vegan and my cat is called Mimi.",
        "If I were vegan, would my cat called Mimi mind it?",
        "我的猫叫什么？我住在哪里？你知道吗？",
    ],
)
def test_question_or_role_gives_nothing_beside_a_silent_model(text: str) -> None:
    assert _learn(text) == set()


def test_each_part_of_a_long_message_gives_its_own_statements_once() -> None:
    text = f"I am vegan. {'The weather was fine on that day. ' * 20}My cat is called Mimi."
    first = window(text)
    assert first.parts[0].end is not None
    learnt = [one.content for one in extract(first, Scripted([])).candidates]
    assert learnt == [VEGAN]
