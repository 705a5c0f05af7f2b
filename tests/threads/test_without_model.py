"""The answer where no model answers: what will be remembered, what is remembered, and the reason."""

from __future__ import annotations

from typing import Any

import pytest

from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.preferences import set_preferences
from tests.reading import read
from threads.learning import Learnable
from threads.learning.learning import learn_from_thread
from threads.models import Thread
from threads.replies import Ended, ask_question
from threads.replies.no_model import answer_without_model

pytestmark = pytest.mark.django_db(transaction=True)


def end_reply(thread: Thread, text: str) -> Ended:
    *_, last = read(ask_question(thread.pk, text, owner=thread.owner_id))
    assert isinstance(last, Ended)
    return last


def answer_to(thread: Thread, text: str) -> str:
    answer = end_reply(thread, text).answer
    assert answer is not None
    return answer.content


def test_the_answer_says_what_is_remembered_and_why_no_more(thread: Thread) -> None:
    write_candidates([Candidate("My cat is called Momo.")], owner=thread.owner_id, actor="test")
    last = end_reply(thread, "What is my cat called?")
    assert last.answer is not None
    assert "No language model" in last.answer.content
    assert "Momo" in last.answer.content
    assert last.reply.source == "fallback"
    assert last.answer.do_not_remember


def test_chinese_is_answered_in_chinese(thread: Thread) -> None:
    assert "没有配置语言模型" in answer_to(thread, "我的猫叫什么？")


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("I live in Turin.", "Noted, I will remember that:\n- The user lives in Turin."),
        ("我住在都灵。", "好的，我会记住：\n- 用户住在都灵。"),
    ],
)
def test_what_will_be_remembered_is_named(thread: Thread, message: str, answer: str) -> None:
    assert answer_to(thread, message).startswith(f"{answer}\n\n")


def test_the_reason_is_given_once_in_a_thread(thread: Thread) -> None:
    assert "No language model" in answer_to(thread, "Where do I live?")
    assert answer_to(thread, "Where do I work?") == "I remember nothing about it."


def test_a_statement_is_answered_with_memories_if_it_also_asks() -> None:
    learnable, recalled = Learnable(("The user lives in Turin.",)), ["My cat is called Momo."]
    assert recalled[0] not in answer_without_model("I live in Turin.", recalled, learnable)
    answer = answer_without_model("I live in Turin. And my cat?", recalled, learnable)
    assert "- The user lives in Turin." in answer
    assert f"- {recalled[0]}" in answer


def test_what_the_thread_itself_taught_is_listed_first(thread: Thread) -> None:
    answer_to(thread, "I live in Turin.")
    learn_from_thread(thread.pk, owner=thread.owner_id)
    assert answer_to(thread, "Where do I live?") == "What I remember about it:\n- The user lives in Turin."


def test_memories_are_listed_though_citations_are_off(thread: Thread) -> None:
    set_preferences(thread.owner_id, citations_on=False)
    write_candidates([Candidate("My cat is called Momo.")], owner=thread.owner_id, actor="test")
    assert "Momo" in answer_to(thread, "What is my cat called?")


def test_a_requirement_is_an_answer(thread: Thread) -> None:
    write_candidates([Candidate("I am allergic to peanuts.")], owner=thread.owner_id, actor="test")
    assert "peanuts" in answer_to(thread, "What am I allergic to?")


def test_thanks_get_no_claim_about_memory(thread: Thread) -> None:
    assert "I remember nothing" not in answer_to(thread, "Thank you!")


def test_what_waits_for_the_person_is_said_to_wait(thread: Thread) -> None:
    set_preferences(thread.owner_id, auto_extract=False)
    assert "waits in your inbox" in answer_to(thread, "I live in Turin.")


@pytest.mark.parametrize(
    "preferences", [{"memory_on": False}, {"refused_kinds": ["fact"]}], ids=["memory off", "kind refused"]
)
def test_nothing_is_promised_that_is_not_learnt(thread: Thread, preferences: dict[str, Any]) -> None:
    set_preferences(thread.owner_id, **preferences)
    assert "Noted" not in answer_to(thread, "I live in Turin.")
