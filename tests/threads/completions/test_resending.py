"""A frontend without state of its own sends everything again: the thread has the turns the person saw."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llm_server import LLMServer, Request, answer, broken_stream, payload, status
from tests.threads.completions.calling import Answer, Caller
from tests.threads.completions.frontend import assistant, user
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


@pytest.mark.parametrize(("memory", "kept"), [("on", 2), ("read", 0)])
def test_the_header_and_not_store_says_what_is_kept(
    memory: str, kept: int, alice_v1: Caller, alice_api: Any, models_configured: LLMServer
) -> None:
    alice_api.post("/api/memories", {"content": "Alice's dog is called Rex."})
    said = alice_v1.chat("What is my dog called?", store=False, headers={"Memsite-Memory": memory})
    assert said.memory.startswith("used=1")
    assert "Rex" in models_configured.chats[0].prompt
    assert Message.objects.count() == kept


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


def dated(day: int) -> dict[str, str]:
    """A system prompt that is another one each day."""
    return {"role": "system", "content": f"You are helpful. Today is 2026-11-{day:02}."}


def test_edit_in_the_middle_of_a_window_is_a_branch_of_its_thread(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    texts = [one for number in range(4) for one in (f"Question {number} of mine?", f"{ONE} ({number})")]
    models_configured.script(*(answer(one) for one in texts[1::2]), answer("A dog, then."))
    for number in range(4):
        said = alice_v1.chat(dated(number + 1), *as_messages(texts[: 2 * number + 1])[-5:])
    edited = [*as_messages(texts)[3:6], user("A changed question?")]
    assert alice_v1.chat(dated(9), *edited).thread == said.thread
    assert shown(said.thread) == [*texts[:6], "A changed question?", "A dog, then."]
    assert (Thread.objects.count(), Message.objects.count()) == (1, 10)


def test_answer_that_broke_off_is_asked_for_again_beside_it(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = begin(alice_v1, models_configured)
    models_configured.script(broken_stream("Rex is "), answer("Rex is seven years old."))
    history = ["My dog is Rex.", ONE, "He is brown.", TWO, "How old?"]
    assert "error" in alice_v1.chat(*history, stream=True).events[-1]
    assert alice_v1.chat(*history).thread == said.thread
    assert shown(said.thread) == [*history, "Rex is seven years old."]
    assert Message.objects.filter(content="How old?").count() == 1


def test_two_retries_at_once_store_the_question_once(alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.stream_together(2, "My dog is Rex.", lambda: False)
    assert Message.objects.filter(role="user").count() == 1
    assert len(models_configured.chats) == 2


def test_answers_of_models_side_by_side_follow_the_question(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    named = {"Memsite_Thread": "chat-1", "Memsite_Message": "q1"}
    alice_v1.stream_together(4, "My dog is Rex.", lambda: False, **named)
    question = Message.objects.get(role="user")
    answers = Message.objects.filter(role="assistant")
    assert {one.parent_id for one in answers} == {question.pk}
    assert {one.client_id for one in answers} == {f"reply {place}" for place in range(4)}


def test_tool_calls_and_pictures_in_between_stay_in_their_thread(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    call = {"id": "call_8f3a9b2c7d1e", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    calls = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": call["id"], "content": "A brown dog."}
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    picture = {"role": "user", "content": [{"type": "text", "text": "Who is this?"}, image]}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": calls}
    models_configured.script(payload({"choices": [choice]}), answer(ONE), answer(TWO))
    steps: list[Any] = [dated(1), picture]
    first = alice_v1.chat(*steps)
    alice_v1.chat(dated(2), picture, calls, result)
    last = alice_v1.chat(dated(3), picture, calls, result, assistant(ONE), user("He is brown."))
    assert {one.thread for one in (first, last)} == {last.thread}
    assert shown(last.thread) == ["Who is this?\n[image]", "", "A brown dog.", ONE, "He is brown.", TWO]
    assert models_configured.chats[-1].messages[1] == picture


def as_messages(texts: list[str]) -> list[dict[str, Any]]:
    return [user(one) if place % 2 == 0 else assistant(one) for place, one in enumerate(texts)]
