"""A frontend without state of its own sends everything again: the thread has the turns the person saw."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llm_server import LLMServer, Request, answer, status
from tests.threads.completions.calling import Answer, Caller
from threads.models import Message, Thread
from threads.storage import get_thread, list_messages, load_path

pytestmark = pytest.mark.django_db

ONE = "Rex is a fine name for a dog; he sounds like a good companion."
TWO = "A brown coat suits him well, and it is easy to keep clean."


def shown(thread: str) -> list[str]:
    """Return the texts of the thread's current branch."""
    row = Thread.objects.get(pk=thread)
    rows = list_messages(load_path(get_thread(row.pk, owner=row.owner_id).current_branch), owner=row.owner_id)
    return [one.content for one in rows.order_by("depth")]


def begin(caller: Caller, server: LLMServer) -> Answer:
    server.script(answer(ONE), answer(TWO))
    caller.chat("My dog is Rex.")
    return caller.chat("My dog is Rex.", ONE, "He is brown.")


def test_resent_history_is_one_thread(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = begin(alice_v1, models_configured)
    assert shown(said.thread) == ["My dog is Rex.", ONE, "He is brown.", TWO]
    assert Thread.objects.count() == 1


def test_retry_after_a_failure_stores_the_question_once(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = begin(alice_v1, models_configured)
    models_configured.script(status(500), answer("Seven."))
    history = ["My dog is Rex.", ONE, "He is brown.", TWO, "How old?"]
    assert alice_v1.chat(*history).status == 502
    assert alice_v1.chat(*history, headers={"x-stainless-retry-count": "1"}).thread == said.thread
    assert shown(said.thread) == [*history, "Seven."]
    assert Message.objects.filter(content="How old?").count() == 1


def test_regenerated_answer_stands_beside_the_first(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = begin(alice_v1, models_configured)
    models_configured.script(answer("Brown dogs are rare."))
    again = alice_v1.chat("My dog is Rex.", ONE, "He is brown.")
    assert again.thread == said.thread
    assert shown(said.thread) == ["My dog is Rex.", ONE, "He is brown.", "Brown dogs are rare."]
    assert Message.objects.count() == 5


def test_side_request_leaves_no_trace(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = begin(alice_v1, models_configured)
    task = (
        "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n"
        "### Chat History:\n<chat_history>\nUSER: My dog is Rex.\n</chat_history>"
    )
    title = alice_v1.chat(task)
    assert title.memory == "skipped; reason=title_generation"
    assert models_configured.chats[-1].messages == [{"role": "user", "content": task}]
    assert Message.objects.count() == 4
    assert Thread.objects.get().pk.hex == said.thread.replace("-", "")


def test_client_s_own_ids_place_a_message(alice_v1: Caller, models_configured: LLMServer) -> None:
    def ask(text: str, message: str, parent: str, reply: str) -> Answer:
        ids: dict[str, Any] = {
            "Memsite-Thread": "chat-1",
            "Memsite-Message": message,
            "Memsite-Parent": parent,
            "Memsite-Reply": reply,
        }
        return alice_v1.chat(text, headers=ids)

    models_configured.script(answer(ONE), answer(TWO), answer("Other."))
    first = ask("My dog is Rex.", "q1", "", "a1")
    ask("He is brown.", "q2", "a1", "a2")
    ask("He is black.", "q3", "a1", "a3")
    assert shown(first.thread) == ["My dog is Rex.", ONE, "He is black.", "Other."]
    assert {row.client_id for row in Message.objects.all()} == {"q1", "a1", "q2", "a2", "q3", "a3"}


def test_same_thread_name_of_two_people_is_two_threads(
    alice_v1: Caller, bob_v1: Caller, models_configured: LLMServer
) -> None:
    named = {"Memsite-Thread": "chat-1"}
    first, second = (one.chat("Hi", headers=named).thread for one in (alice_v1, bob_v1))
    assert first != second
    assert bob_v1.chat("Hi", headers={"Memsite-Thread": first}).status == 404


def test_memory_off_is_a_plain_proxy(alice_v1: Caller, alice_api: Any, models_configured: LLMServer) -> None:
    alice_api.patch("/api/preferences", {"memory_on": False})
    said = alice_v1.chat("Hi")
    assert (said.status, said.memory.partition(";")[0]) == (200, "skipped")
    assert not Message.objects.exists()


def test_store_false_recalls_and_keeps_nothing(
    alice_v1: Caller, alice_api: Any, models_configured: LLMServer
) -> None:
    alice_api.post("/api/memories", {"content": "Alice's dog is called Rex."})
    said = alice_v1.chat("What is my dog called?", store=False)
    assert said.memory.startswith("used=1")
    assert "Rex" in models_configured.chats[0].prompt
    assert not Message.objects.exists()


def test_managed_thread_is_sent_with_the_messages_that_the_client_leaves_out(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(answer("Minka it is."), answer("A cat."))
    managed = {"Memsite-Thread": "cats", "Memsite-Context": "managed"}
    alice_v1.chat("My cat is called Minka.", headers=managed)
    alice_v1.chat("What is Minka?", headers=managed)
    alice_v1.chat("What is Minka?", headers=managed | {"x-stainless-retry-count": "1"})
    second, again = (texts_of(sent) for sent in models_configured.chats[1:])
    assert second == ["My cat is called Minka.", "Minka it is.", "What is Minka?"]
    assert again == second


def test_managed_thread_is_not_sent_twice(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("Minka it is."))
    managed = {"Memsite-Thread": "cats", "Memsite-Context": "managed"}
    whole = ["My cat is called Minka.", "Minka it is.", "What is Minka?"]
    alice_v1.chat(whole[0], headers=managed)
    alice_v1.chat(*whole, headers=managed)
    assert texts_of(models_configured.chats[1]) == whole


def texts_of(request: Request) -> list[str]:
    return [str(one["content"]) for one in request.messages if one["role"] != "system"]
