"""What sentences and triples state about names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.text.naming.keys import make_name_key
from memories.text.naming.name_search import MOST, find_names
from memories.text.naming.statements import SAME, read_statement


def stated(text: str, **fields: str) -> set[tuple[str, str, str]]:
    return {(one.subject, one.predicate, one.object) for one in read_statement(text, **fields).relations}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Greta's cousin Otis paints in Ghent.", {"Greta", "Otis", "Ghent"}),
        ("Thanks! The parcel came on Monday.", set()),
        ("I use Node.js, C++ and PostgreSQL 16.", {"Node.js", "C++", "PostgreSQL 16"}),
        ("Mr. Smith met Ludwig van Beethoven", {"Smith", "Ludwig van Beethoven"}),
        ("我用Python写代码，王芳在腾讯上班。", {"Python", "王芳", "腾讯"}),
        ("周末去爬山，小心一点", set()),
        ("李雷读《三体》", {"李雷", "三体"}),
    ],
)
def test_names_are_spotted(text: str, names: set[str]) -> None:
    assert set(find_names(text)) == names


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Greta's cousin is Otis.", ("Greta", "cousin", "Otis")),
        ("Otis is Greta's cousin.", ("Greta", "cousin", "Otis")),
        ("Greta has a cousin called Otis.", ("Greta", "cousin", "Otis")),
        ("Falcon depends on Kafka.", ("Falcon", "depends_on", "Kafka")),
        ("Otis is married to Greta.", ("Otis", "married_to", "Greta")),
        ("My cousin is Otis.", ("user", "cousin", "Otis")),
        ("韩梅的老师是陈静。", ("韩梅", "老师", "陈静")),
        ("陈静是韩梅的老师。", ("韩梅", "老师", "陈静")),
        ("陈静住在杭州。", ("陈静", "lives_in", "杭州")),
    ],
)
def test_plain_statement_is_a_relation(text: str, relation: tuple[str, str, str]) -> None:
    assert relation in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "Otis is not Greta's cousin.",
        "Is Otis Greta's cousin?",
        "If Otis worked at Tessera, Greta would visit.",
        "Otis might work at Tessera.",
        "Otis wants to live in Ghent.",
        "陈静不是韩梅的老师。",
        "陈静是韩梅的老师吗？",
        "如果陈静住在杭州就好了。",
    ],
)
def test_what_is_no_statement_relates_nothing(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("Elizabeth, also known as Liz, paints.", "Elizabeth", "Liz"),
        ("Elizabeth (aka Liz) paints.", "Elizabeth", "Liz"),
        ("Liz is short for Elizabeth.", "Liz", "Elizabeth"),
        ("The Order Gateway (OG) is down.", "Order Gateway", "OG"),
        ("李雷又叫小李。", "李雷", "小李"),
        ("李雷的英文名是Leo。", "李雷", "Leo"),
    ],
)
def test_stated_alias_is_one(text: str, one: str, other: str) -> None:
    assert (one, SAME, other) in stated(text)


@pytest.mark.parametrize(
    "text", ["Elizabeth and Liz paint.", "Elizabeth (Ghent) paints.", "Elizabeth called Liz's boss"]
)
def test_names_side_by_side_are_not_one(text: str) -> None:
    assert not {relation for relation in stated(text) if relation[1] == SAME}


def test_triple_about_a_relative_becomes_two_relations() -> None:
    triple = {"subject": "user's cousin Otis", "predicate": "works_at", "thing": "Tessera"}
    assert stated("x", **triple) == {("user", "cousin", "Otis"), ("Otis", "works_at", "Tessera")}


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "thing"),
    [
        ("我妈妈住在上海。", "用户的妈妈", "lives_in", "上海"),
        ("我姐姐是医生。", "用户的姐姐", "works_as", "医生"),
        ("My mother lives in Leeds.", "user's mother", "lives_in", "Leeds"),
    ],
)
def test_triple_about_a_relative_is_not_read_as_about_the_owner(
    text: str, subject: str, predicate: str, thing: str
) -> None:
    ends = {(one[0], one[2]) for one in stated(text, subject=subject, predicate=predicate, thing=thing)}
    assert (subject, thing) in ends
    assert not {("user", thing), ("用户", thing)} & ends


@pytest.mark.parametrize(
    "text",
    ["我妈妈住在上海。", "My mother lives in Leeds.", "My old boss visited Leeds.", "我的同事在腾讯上班。"],
)
def test_text_about_a_relative_relates_the_owner_to_nothing(text: str) -> None:
    assert stated(text) == set()


def test_noun_of_several_words_relates_two_names() -> None:
    assert stated("My best friend Otis paints.") == {("user", "best_friend", "Otis")}


def test_name_of_the_owner_is_an_alias_and_that_of_a_role_is_not() -> None:
    assert stated("x", subject="user", predicate="named", thing="Robert") == {("user", SAME, "Robert")}
    role = stated("x", subject="user's boss", predicate="named", thing="Robert")
    assert role == {("user", "boss", "Robert"), ("user's boss", "named", "Robert")}


@given(
    st.text(alphabet=st.sampled_from("⟦⟧0123 AnnaBob's的是在 is.,()我")),
    st.text(max_size=12),
    st.text(max_size=12),
)
def test_any_text_is_read_with_each_name_once(text: str, subject: str, thing: str) -> None:
    found = read_statement(text, subject=subject, predicate="likes", thing=thing)
    keys = [make_name_key(name) for name in found.names]
    assert len(set(keys)) == len(keys)
    assert {make_name_key(end) for one in found.relations for end in (one.subject, one.object)} <= set(keys)
    assert len(find_names(text)) <= MOST
