"""The composer of the overview: a statement is remembered at once, and a question recalls it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from memories.models import Memory
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences

pytestmark = pytest.mark.django_db


def _told(client: Client, statement: str) -> str:
    return client.post("/memories/tell/", {"statement": statement}, follow=True).content.decode()


def test_overview_of_a_new_person_begins_with_the_composer(alice_browser: Client) -> None:
    page = alice_browser.get("/").content.decode()
    assert "Tell me one thing about yourself" in page
    assert page.index('action="/memories/tell/"') < page.index("How your memory works")


def test_statement_is_shown_as_it_was_remembered(alice_browser: Client, alice: User) -> None:
    page = _told(alice_browser, "I live in Oslo and I am allergic to nuts.")
    learnt = Memory.objects.filter(owner=alice)
    assert {"lives_in"} <= set(learnt.values_list("predicate", flat=True))
    assert all(f"/memories/{memory.pk}/" in page for memory in learnt)


def test_statement_that_no_rule_reads_is_remembered_as_it_is(alice_browser: Client, alice: User) -> None:
    _told(alice_browser, "Blue bicycle, third floor.")
    assert Memory.objects.get(owner=alice).content == "Blue bicycle, third floor."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("What is my dog's name?", "This only asks"),
        ("where do i live", "This only asks"),
        ("How do I get to my flat in Oslo?", "This only asks"),
        ("我的猫叫什么?", "This only asks"),
        ("hello", "This tells nothing about you"),
        ("test", "This tells nothing about you"),
        ("测试一下", "This tells nothing about you"),
    ],
)
def test_question_or_greeting_is_answered_and_not_remembered(
    alice_browser: Client, alice: User, text: str, answer: str
) -> None:
    page = alice_browser.post("/memories/tell/", {"statement": text})
    assert page.status_code == 422
    assert answer in page.content.decode()
    assert not Memory.objects.filter(owner=alice).exists()


def test_question_is_answered_in_the_page_s_language(alice_browser: Client) -> None:
    alice_browser.post("/settings/language/", {"language": "zh-hans", "next": "/"})
    assert "这只是一个问题" in _told(alice_browser, "我的猫叫什么?")


def test_what_a_question_also_states_is_remembered(alice_browser: Client, alice: User) -> None:
    _told(alice_browser, "I'm vegan, what can I cook?")
    assert Memory.objects.get(owner=alice).content == "The user is vegan."


def test_question_that_is_offered_recalls_the_statement(alice_browser: Client) -> None:
    page = _told(alice_browser, "I live in Oslo.")
    (address,) = re.findall(r'href="(/memories/ask/\?q=[^"]+)"', page)
    assert "Oslo" in alice_browser.get(address).content.decode()


def test_chinese_statement_is_recalled_by_a_chinese_question(alice_browser: Client) -> None:
    alice_browser.post("/settings/language/", {"language": "zh-hans", "next": "/"})
    page = _told(alice_browser, "我住在上海，我喜欢喝茶。")
    addresses = re.findall(r'href="(/memories/ask/\?q=[^"]+)"', page)
    assert any("上海" in alice_browser.get(address).content.decode() for address in addresses)


def test_undo_takes_back_what_a_statement_left(alice_browser: Client, alice: User) -> None:
    page = _told(alice_browser, "I live in Oslo.")
    (undo,) = re.findall(r'action="(/memories/undo/[^"?]+)', page)
    alice_browser.post(undo)
    assert not Memory.objects.filter(owner=alice, status="active").exists()


def test_secret_is_refused_with_the_reason_and_the_text_stays(alice_browser: Client) -> None:
    secret = "sk-proj-abcdefghijklmnopqrstuvwx0123456789ABCD"
    response = alice_browser.post("/memories/tell/", {"statement": secret})
    assert response.status_code == 422
    assert "This was not kept" in response.content.decode()


@pytest.mark.parametrize("statement", ["", " ", "x" * 2_001])
def test_statement_that_is_none_is_an_error_of_the_field(alice_browser: Client, statement: str) -> None:
    assert alice_browser.post("/memories/tell/", {"statement": statement}).status_code == 422


def test_nothing_is_remembered_while_memory_is_off(alice_browser: Client, alice: User) -> None:
    set_preferences(alice.pk, memory_on=False)
    assert alice_browser.post("/memories/tell/", {"statement": "I live in Oslo."}).status_code == 422
    assert "/memories/tell/" not in alice_browser.get("/").content.decode()
    assert not Memory.objects.exists()


def test_others_memories_are_neither_shown_nor_recalled(
    alice_browser: Client, bob_browser: Client, alice: User
) -> None:
    _told(alice_browser, "I live in Oslo.")
    memory = Memory.objects.get(owner=alice)
    assert "Oslo" not in bob_browser.get(f"/memories/tell/?id={memory.pk}").content.decode()
    assert "Oslo" not in bob_browser.get("/memories/ask/?q=where+do+I+live").content.decode()


def test_reason_is_in_the_language_of_the_page(alice_browser: Client) -> None:
    _told(alice_browser, "I live in Oslo.")
    alice_browser.post("/settings/language/", {"language": "zh-hans", "next": "/"})
    page = alice_browser.get("/memories/ask/?q=Oslo").content.decode()
    assert "shares" not in page
    assert "Oslo" in page


def test_where_somebody_else_lives_offers_no_question_about_the_person(alice_browser: Client) -> None:
    page = _told(alice_browser, "My sister Ana lives in Lisbon.")
    assert "My sister" in page or "sister Ana lives in Lisbon" in page
    assert "Where do I live?" not in page
