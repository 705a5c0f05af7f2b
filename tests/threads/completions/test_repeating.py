"""Requests that a client's library sends again after a failure, where the client sends no history."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llm_server import LLMServer, answer, status
from tests.threads.completions.calling import Caller
from threads.models import Message

pytestmark = pytest.mark.django_db
ITEMS = [{"role": "user", "content": "My dog is Rex."}, {"role": "assistant", "content": "Good."}]


def respond(caller: Caller, given: object, *, tries: int = 0, **fields: object) -> Any:
    body = {"model": "memsite", "input": given, **fields}
    return caller.post("/v1/responses", body, x_stainless_retry_count=str(tries))


def list_contents() -> list[str]:
    return list(Message.objects.order_by("id").values_list("content", flat=True))


def test_question_in_a_conversation_is_kept_once_however_often_the_server_fails(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    conversation = alice_v1.post("/v1/conversations", {"items": ITEMS}).json["id"]
    models_configured.script(status(500), status(500), answer("Hello."))
    codes = [respond(alice_v1, "Hi", tries=n, conversation=conversation).status for n in range(3)]
    assert codes == [502, 502, 200]
    assert list_contents() == ["My dog is Rex.", "Good.", "Hi", "Hello."]
    sent = [one["content"] for one in models_configured.chats[-1].messages]
    assert sent == ["My dog is Rex.", "Good.", "Hi"]


def test_question_whose_answer_got_lost_on_its_way_is_kept_once(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    conversation = alice_v1.post("/v1/conversations", {}).json["id"]
    models_configured.script(answer("One."), answer("Two."))
    for tries in range(2):
        assert respond(alice_v1, "Hi", tries=tries, conversation=conversation).status == 200
    items = alice_v1.get(f"/v1/conversations/{conversation}/items?order=asc").json["data"]
    assert [one["content"][0]["text"] for one in items] == ["Hi", "Two."]


def test_same_words_after_an_answer_are_a_new_question(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    conversation = alice_v1.post("/v1/conversations", {}).json["id"]
    for _ in range(2):
        respond(alice_v1, "Go on", conversation=conversation)
    assert list_contents() == ["Go on", "ok", "Go on", "ok"]


def test_item_that_waits_in_a_conversation_is_answered(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    conversation = alice_v1.post("/v1/conversations", {"items": ITEMS[:1]}).json["id"]
    assert respond(alice_v1, [], conversation=conversation).status == 200
    assert list_contents() == ["My dog is Rex.", "ok"]
    assert [one["content"] for one in models_configured.chats[0].messages] == ["My dog is Rex."]


def test_items_that_are_sent_again_are_added_once(alice_v1: Caller) -> None:
    path = f"/v1/conversations/{alice_v1.post('/v1/conversations', {}).json['id']}/items"
    first = alice_v1.post(path, {"items": ITEMS})
    again = alice_v1.post(path, {"items": ITEMS}, x_stainless_retry_count="1")
    assert (again.status, again.json) == (200, first.json)
    assert len(list_contents()) == 2


def test_items_are_read_of_nobody_without_a_key(alice_v1: Caller) -> None:
    said = Caller(alice_v1.loop, "").post("/v1/conversations", b"{")
    assert said.status == 401
