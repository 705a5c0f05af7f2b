"""A sentence with several clauses, or with several things, gives a statement for each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.extraction import extract_by_rules
from memories.values import Candidate, Utterance
from memsite.values import MessageRole

AT = datetime(2026, 3, 4, 9, tzinfo=UTC)


def learn(said: str) -> list[Candidate]:
    return extract_by_rules([Utterance("message:1", MessageRole.USER, said, AT)])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "我写代码喜欢函数式风格，一般用 TypeScript，更倾向组合而不是继承",
            ["函数式风格", "TypeScript", "组合而不是继承"],
        ),
        (
            "I like functional style, usually write TypeScript, and prefer composition over inheritance",
            ["functional style", "TypeScript", "composition over inheritance"],
        ),
        ("写代码时我喜欢用 Vim，喜欢深色主题，不喜欢注释太多", ["Vim", "深色主题", "注释太多"]),
        ("我对花生过敏，还有哮喘", ["花生", "哮喘"]),
        ("I'm allergic to peanuts and shellfish, and I have asthma", ["peanuts", "shellfish", "asthma"]),
        ("I prefer tea over coffee, hate cilantro, and never eat pork", ["tea", "cilantro", "pork"]),
    ],
)
def test_each_clause_gives_a_statement(said: str, kept: list[str]) -> None:
    learnt = [one.content for one in learn(said)]
    assert len(learnt) == len(kept)
    assert all(thing in content for thing, content in zip(kept, learnt, strict=True))


@pytest.mark.parametrize(
    ("said", "predicate", "things"),
    [
        ("我喜欢爵士、摇滚和古典", "likes", ["爵士", "摇滚", "古典"]),
        ("I like jazz, rock and classical music.", "likes", ["jazz", "rock", "classical music"]),
        ("I have a dog and two cats", "has", ["a dog", "two cats"]),
        ("我养了一只狗和两只猫", "owns", ["一只狗", "两只猫"]),
        ("I speak English, French, and German.", "speaks", ["English", "French", "German"]),
        ("I don't eat pork or beef.", "avoids", ["pork", "beef"]),
        ("我不吃猪肉、牛肉和海鲜", "avoids", ["猪肉", "牛肉", "海鲜"]),
        (
            "I have asthma, diabetes and a peanut allergy",
            "has_condition",
            ["asthma", "diabetes", "peanut allergy"],
        ),
        ("我有哮喘、糖尿病和花生过敏", "has_condition", ["哮喘", "糖尿病", "花生过敏"]),
        ("I love long walks and good wine", "likes", ["long walks", "good wine"]),
        ("我用 Python 和 Rust", "uses", ["Python", "Rust"]),
    ],
)
def test_each_thing_of_an_enumeration_gives_a_statement(said: str, predicate: str, things: list[str]) -> None:
    learnt = learn(said)
    assert [(one.predicate, one.object) for one in learnt] == [(predicate, thing) for thing in things]
    assert all(one.object in one.content or one.object in said for one in learnt)
    assert len({one.content for one in learnt}) == len(things)


@pytest.mark.parametrize(
    "said",
    [
        "I like mac and cheese",
        "I like salt and pepper crisps",
        "I have a black and white cat",
        "I have a bed and breakfast",
        "I like red and white wine",
        "I like short and clear answers",
        "I like tea and coffee in the morning",
        "I've got two older brothers, Sven and Lars.",
        "I prefer cats to dogs and birds",
        "My brother and sister live in Rome",
        "我喜欢和牛",
        "我喜欢简洁的回答和例子",
        "我喜欢喝茶或者咖啡",
    ],
)
def test_what_may_be_one_thing_stays_one_statement(said: str) -> None:
    assert len(learn(said)) == 1


@pytest.mark.parametrize("said", ["我学生喜欢听故事", "我室友喜欢爵士和摇滚"])
def test_taste_of_another_is_not_the_speaker_s(said: str) -> None:
    assert ("user", "likes") not in {(one.subject, one.predicate) for one in learn(said)}
