"""What a merged text must keep, and must not add."""

from __future__ import annotations

import pytest

from memories.text.comparison.losslessness import find_invented_details, find_lost_details

FAITHFUL = [
    (["My flat in Turin costs 1,100 euros."], "The user's flat in Turin costs 1100 €."),
    (["I was born on March 3, 1990.", "I grew up in Porto."], "Born 1990-03-03, the user grew up in Porto."),
    (["I have three goats.", "They are Ada, Bo and Cy."], "The user has 3 goats: Ada, Bo and Cy."),
    (["I don't eat pork.", "I avoid beef."], "The user eats neither pork nor beef."),
    (["Deploys run on Fridays at 5 pm."], "Every Friday at 17:00 a deploy runs."),
    (
        ["I quit smoking in 2019.", "I started rowing in 2020."],
        "Quit smoking in 2019 and took up rowing in 2020.",
    ),
    (["我的房租是三千五百元。", "我住在绍兴。"], "用户住在绍兴，房租3500元。"),
    (["我女儿叫小满。", "她2018年6月12日出生。"], "用户的女儿小满出生于2018-06-12。"),
    (["同事张伟喜欢《三体》。"], "用户的同事张伟爱看《三体》。"),
]


@pytest.mark.parametrize(("sources", "result"), FAITHFUL)
def test_a_faithful_text_loses_and_invents_nothing(sources: list[str], result: str) -> None:
    assert (find_lost_details(sources, result), find_invented_details(sources, result)) == (
        frozenset(),
        frozenset(),
    )


LOSING = [
    ("number 8443", "The proxy uses port 8443.", "The proxy uses a port."),
    ("number 5 mg", "I take 5 mg.", "I take 5 pills."),
    ("number 2.10", "We pin 2.10.", "We pin 2.1."),
    ("date 1990-03-03", "Born March 3, 1990.", "Born in March."),
    ("date tue", "I swim on Tuesdays.", "I swim."),
    ("time 17:00", "We meet at 5 pm.", "We meet in the afternoon."),
    ("name Turin", "I live in Turin.", "I live in a city."),
    ("name Anna", "Anna is my aunt.", "The user has an aunt."),
    ("name https://a.test/x", "See https://a.test/x", "See the page."),
    ("name 小满", "我女儿叫小满。", "用户有一个女儿。"),
    ("name 三体", "我喜欢《三体》。", "我喜欢科幻。"),
    ("name 绍兴", "我住在绍兴。", "用户住在南方。"),
    ("negation pork", "I don't eat pork.", "I eat pork."),
]


@pytest.mark.parametrize(("detail", "source", "result"), LOSING)
def test_a_dropped_detail_is_named(detail: str, source: str, result: str) -> None:
    assert detail in find_lost_details([source], result)


INVENTING = [
    ("number 9", "I have cats.", "The user has 9 cats."),
    ("date 1990-03-03", "Born March 3.", "Born March 3, 1990."),
    ("name Marco", "I live with my partner.", "The user lives with Marco."),
    ("name Alice", "I like rowing.", "Alice likes rowing."),
    ("name 丽水", "我住在南方。", "用户住在丽水。"),
    ("negation tea", "I like tea.", "The user doesn't like tea."),
]


@pytest.mark.parametrize(("detail", "source", "result"), INVENTING)
def test_an_added_detail_is_named(detail: str, source: str, result: str) -> None:
    assert detail in find_invented_details([source], result)


def test_every_source_is_looked_through() -> None:
    assert find_lost_details(["I row.", "Port 8443."], "The user rows.") == {"number 8443"}


def test_a_denial_left_out_is_lost() -> None:
    assert find_lost_details(["I like rice.", "I don't eat pork."], "The user likes rice.") == {
        "negation pork"
    }


def test_texts_too_long_to_read_pass_for_nothing() -> None:
    assert find_lost_details(["tea " * 2000], "tea") == {"length"}
    assert find_invented_details(["tea"], "tea " * 2000) == {"length"}
