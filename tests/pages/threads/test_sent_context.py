"""The page that shows exactly what a model was sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from memories.curation import erasing
from memories.models import Memory
from memsite.accounts.models import User
from tests.llm_server import LLMServer
from tests.pages.conftest import Remember
from threads.context import Remark, load_sent_context
from threads.messages import removal
from threads.messages.transcript import create_thread
from threads.models import Message, SentContext, Thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def answered(
    alice: User, alice_browser: Client, remembered: Remember, models_configured: LLMServer
) -> Thread:
    """A thread with a system prompt, two questions, and a memory that the second one recalls."""
    remembered(alice, "The user keeps bees behind the barn.")
    thread = create_thread(owner=alice.pk, system_prompt="Be brief.")
    for text in ("What a day.", "Where does the user keep bees?"):
        alice_browser.post(f"/threads/{thread.pk}/say/", {"content": text})
    return thread


def last(thread: Thread, role: str = "assistant") -> Message:
    return Message.objects.filter(thread=thread, role=role).latest("id")


def page_of(browser: Client, thread: Thread, message: Message) -> str:
    return browser.get(f"/threads/{thread.pk}/context/{message.pk}/").content.decode()


def sent_texts(server: LLMServer) -> list[Any]:
    return [one["content"] for one in server.chats[-1].messages]


def test_it_is_what_the_model_was_sent_to_the_letter(answered: Thread, models_configured: LLMServer) -> None:
    shown = load_sent_context(last(answered))
    assert shown.is_exact
    assert shown.retrieved in sent_texts(models_configured)
    assert [one.text for one in shown.messages] == sent_texts(models_configured)[1:3]
    assert load_sent_context(last(answered, "user")).stored.pk == shown.stored.pk


def test_the_page_shows_each_part_with_its_tokens(alice_browser: Client, answered: Thread) -> None:
    page = page_of(alice_browser, answered, last(answered))
    for text in ("Be brief.", "What a day.", "keeps bees behind the barn", "Where does the user keep bees?"):
        assert text in page
    assert page.count("<rect class=") == 3 * 4, "bar, legend and headings of four parts"
    assert "was deleted, erased or changed" not in page


def test_a_requirement_is_shown_with_the_reason_why_it_applies(
    alice: User, alice_browser: Client, answered: Thread, remembered: Remember
) -> None:
    remembered(alice, "Please answer me in Welsh.", kind="preference")
    alice_browser.post(f"/threads/{answered.pk}/say/", {"content": "What is two plus two?"})
    part = page_of(alice_browser, answered, last(answered)).partition('id="part-requirements"')[2]
    assert "It applies to every answer." in part.partition("</details>")[0]


def test_no_text_of_a_memory_or_message_is_stored_twice(answered: Thread) -> None:
    rows = list(SentContext.objects.filter(thread=answered).values())
    assert "bees" not in json.dumps(rows, default=str)


def test_an_erased_memory_is_gone_from_it(alice: User, alice_browser: Client, answered: Thread) -> None:
    memory = Memory.objects.get(owner=alice, content__startswith="The user keeps bees", layer="semantic")
    receipt = erasing.erase_memory(memory.pk, owner=alice.pk, actor="person")
    page = page_of(alice_browser, answered, last(answered))
    assert "behind the barn" not in page
    assert "Erased since." in page
    assert "was deleted, erased or changed" in page
    assert "sent_contexts" in receipt.erased


def test_summaries_that_were_sent_go_with_a_deleted_message(alice: User, answered: Thread) -> None:
    SentContext.objects.filter(thread=answered).update(summary="They spoke of a day.")
    removal.delete_message(answered.pk, 0, owner=alice.pk)
    assert not SentContext.objects.filter(thread=answered).exclude(summary="").exists()


def test_it_goes_with_its_question(alice: User, answered: Thread) -> None:
    removal.delete_message(answered.pk, last(answered, "user").pk, owner=alice.pk)
    assert SentContext.objects.filter(thread=answered).count() == 1


def test_without_a_model_it_does_not_say_that_one_was_sent_anything(
    alice: User, alice_browser: Client
) -> None:
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "What a day."})
    page = page_of(alice_browser, thread, last(thread))
    assert "No language model was asked" in page
    assert "The model saw this" not in page


@pytest.mark.parametrize(
    ("note", "words"),
    [
        (Remark.SOME_BY_WORDS, "部分记忆刚刚写入"),
        (Remark.NO_QUERY, "没有查找记忆："),
    ],
)
def test_what_is_noted_of_recall_is_in_the_language_of_the_page(
    alice_browser: Client, answered: Thread, note: Remark, words: str
) -> None:
    SentContext.objects.filter(thread=answered).update(notes={"retrieved": note})
    address = f"/threads/{answered.pk}/context/{last(answered).pk}/"
    assert words in alice_browser.get(address, headers={"accept-language": "zh-CN"}).content.decode()


def test_a_message_without_a_reply_says_so(alice_browser: Client, answered: Thread, alice: User) -> None:
    message = Message.objects.create(
        owner=alice, thread=answered, line=last(answered).line, depth=50, role="user", content="x"
    )
    assert "it is not stored what a model was sent" in page_of(alice_browser, answered, message)


def test_anothers_context_is_not_found(bob_browser: Client, answered: Thread) -> None:
    address = f"/threads/{answered.pk}/context/{last(answered).pk}/"
    assert bob_browser.get(address).status_code == 404
