"""Responses and conversations: OpenAI's stateful protocol over threads."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.llm_server import LLMServer, answer, broken_stream, raw_stream, status, stream
from tests.llm_wire import USAGE
from tests.threads.completions.calling import Answer, Caller
from threads.completions import running
from threads.models import Message, Reply, ReplyStatus
from threads.replies import ProducedAnswer, store_answer_patiently

pytestmark = pytest.mark.django_db

CALL = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}


def respond(caller: Caller, given: Any, **fields: Any) -> Answer:
    headers = fields.pop("headers", {})
    return caller.post("/v1/responses", {"model": "memsite", "input": given, **fields}, **headers)


def test_response_is_translated_to_chat_and_back(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("Hello."))
    said = respond(
        alice_v1,
        "Hi",
        instructions="Be brief.",
        max_output_tokens=50,
        reasoning={"effort": "low"},
        text={"format": {"type": "json_schema", "name": "s", "schema": {}}},
        tools=[{"type": "function", "name": "add", "parameters": {}}],
        min_p=0.1,
    )
    sent = models_configured.chats[0].body
    assert sent["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    ]
    assert (sent["max_tokens"], sent["reasoning_effort"], sent["min_p"]) == (50, "low", 0.1)
    assert sent["response_format"]["json_schema"] == {"name": "s", "schema": {}}
    assert sent["tools"] == [{"type": "function", "function": {"name": "add", "parameters": {}}}]
    assert said.json["status"] == "completed"
    assert said.json["output"][0]["content"][0]["text"] == "Hello."
    assert said.json["usage"]["total_tokens"] == 15


@pytest.mark.parametrize("is_streamed", [False, True])
def test_usage_has_the_server_s_details(
    alice_v1: Caller, models_configured: LLMServer, *, is_streamed: bool
) -> None:
    details: dict[str, object] = {
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    models_configured.script(answer("Hello.", usage=USAGE | details))
    said = respond(alice_v1, "Hi", stream=is_streamed)
    usage = (said.events[-1]["response"] if is_streamed else said.json)["usage"]
    assert usage["input_tokens_details"] == {"cached_tokens": 4}
    assert usage["output_tokens_details"] == {"reasoning_tokens": 2}


def test_previous_response_continues_its_thread(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("One."), answer("Two."), answer("Three."))
    first = respond(alice_v1, "First").json
    second = respond(alice_v1, "Second", previous_response_id=first["id"])
    assert [one["content"] for one in models_configured.chats[1].messages] == ["First", "One.", "Second"]
    third = respond(alice_v1, "Another", previous_response_id=first["id"])
    assert [one["content"] for one in models_configured.chats[2].messages] == ["First", "One.", "Another"]
    assert second.thread == third.thread
    rows = Message.objects.filter(thread_id=third.thread, parent__content="One.")
    assert {row.content for row in rows} == {"Second", "Another"}


def test_result_of_a_tool_follows_its_call(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("", finish="tool_calls", tool_calls=[CALL]))
    first = respond(alice_v1, "Add").json
    call = first["output"][0]
    assert (call["type"], call["call_id"], call["arguments"]) == ("function_call", "c1", '{"a": 1}')
    result = {"type": "function_call_output", "call_id": "c1", "output": "2"}
    second = respond(alice_v1, [result], previous_response_id=first["id"])
    assert second.status == 200
    assert [one["role"] for one in models_configured.chats[1].messages] == ["user", "assistant", "tool"]


def test_events_come_in_openai_s_order(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(stream("Hel", "lo"))
    said = respond(alice_v1, "Hi", stream=True)
    assert [one["type"] for one in said.events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert [one["sequence_number"] for one in said.events] == list(range(10))
    last = said.events[-1]["response"]
    assert last["output"][0]["content"][0]["text"] == "Hello"
    assert alice_v1.get(f"/v1/responses/{last['id']}").json["output"][0]["content"][0]["text"] == "Hello"


def test_stream_that_breaks_off_is_a_failed_response(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(broken_stream("Hel"))
    said = respond(alice_v1, "Hi", stream=True)
    assert said.events[-1]["type"] == "response.failed"
    assert said.events[-1]["response"]["error"]["code"] == "server_error"


def test_server_that_refuses_is_passed_on(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(status(429, retry_after="3"))
    said = respond(alice_v1, "Hi", stream=True)
    assert (said.status, said.headers["retry-after"]) == (429, "3")


def test_response_that_is_not_stored_is_remembered_and_cannot_be_loaded(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = respond(alice_v1, "Hi", store=False).json
    assert [row.content for row in Message.objects.order_by("depth")] == ["Hi", "ok"]
    assert said["store"] is False
    assert alice_v1.get(f"/v1/responses/{said['id']}").status == 404
    assert respond(alice_v1, "And?", previous_response_id=said["id"]).status == 404


def test_response_can_be_deleted_and_expires(alice_v1: Caller, models_configured: LLMServer) -> None:
    first, second = (respond(alice_v1, text).json["id"] for text in ("One", "Two"))
    assert alice_v1.get(f"/v1/responses/{first}/input_items").json["data"][0]["content"][0]["text"] == "One"
    assert alice_v1.delete(f"/v1/responses/{first}").json["deleted"]
    assert alice_v1.get(f"/v1/responses/{first}").status == 404
    Reply.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert alice_v1.get(f"/v1/responses/{second}").status == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"background": True},
        {"previous_response_id": "resp_1", "conversation": "conv_1"},
    ],
)
def test_what_is_not_supported_is_said(
    fields: dict[str, Any], alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = respond(alice_v1, **{"given": "Hi", **fields})
    assert (said.status, said.error["type"]) == (400, "invalid_request_error")


CUSTOM = {"type": "custom", "name": "apply_patch", "description": "Edits files.", "format": {"type": "text"}}


PATCH = {"id": "c1", "type": "function", "function": {"name": "apply_patch", "arguments": '{"input": "+ a"}'}}


def test_tool_with_free_text_is_called(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("", finish="tool_calls", tool_calls=[PATCH]))
    item = respond(alice_v1, "Edit it", tools=[CUSTOM]).json["output"][0]
    assert (item["type"], item["call_id"], item["input"]) == ("custom_tool_call", "c1", "+ a")
    sent = models_configured.chats[0].body["tools"][0]["function"]
    assert (sent["name"], sent["parameters"]["required"]) == ("apply_patch", ["input"])


def test_tool_with_free_text_is_called_in_a_stream(alice_v1: Caller, models_configured: LLMServer) -> None:
    choice = {"index": 0, "delta": {"tool_calls": [{"index": 0, **PATCH}]}, "finish_reason": "tool_calls"}
    chunk = json.dumps({"id": "x", "choices": [choice]})
    models_configured.script(raw_stream(f"data: {chunk}\n\n".encode(), b"data: [DONE]\n\n"))
    events = respond(alice_v1, "Edit it", tools=[CUSTOM], stream=True).events
    assert [one["type"].removeprefix("response.") for one in events[2:]] == [
        "output_item.added",
        "custom_tool_call_input.delta",
        "custom_tool_call_input.done",
        "output_item.done",
        "completed",
    ]
    assert events[-1]["response"]["output"][0]["input"] == "+ a"


def test_codex_items_of_all_kinds_reach_the_model(alice_v1: Caller, models_configured: LLMServer) -> None:
    items = [
        {"role": "user", "content": "Edit it"},
        {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"},
        {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "+ a"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "Done"},
        {"type": "local_shell_call", "call_id": "c2", "action": {"type": "exec", "command": ["ls"]}},
        {"type": "local_shell_call_output", "call_id": "c2", "output": "a.txt"},
        {"type": "compaction", "encrypted_content": "x"},
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "And now?"}, {"type": "new_part", "a": 1}],
        },
    ]
    assert respond(alice_v1, items, include=["reasoning.encrypted_content"], store=False).status == 200
    sent = models_configured.chats[0].messages
    roles = ["user", "assistant", "tool", "assistant", "tool", "system", "user"]
    assert [one["role"] for one in sent] == roles
    assert sent[1]["tool_calls"][0]["function"]["arguments"] == '{"input": "+ a"}'
    assert sent[3]["tool_calls"][0]["function"]["name"] == "local_shell"
    assert (sent[2]["content"], sent[4]["content"]) == ("Done", "a.txt")
    assert sent[6]["content"][1] == {"type": "new_part", "a": 1}


def test_tool_that_a_chat_server_cannot_have_is_left_out(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    hosted = {"type": "web_search", "external_web_access": False}
    respond(alice_v1, "Hi", tools=[hosted], tool_choice={"type": "web_search"}, parallel_tool_calls=True)
    respond(alice_v1, "Hi", tools=[hosted, CUSTOM], tool_choice={"type": "web_search"})
    alone, beside = (one.body for one in models_configured.chats)
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & alone.keys()
    assert [one["function"]["name"] for one in beside["tools"]] == ["apply_patch"]
    assert "tool_choice" not in beside


AGENTS = {
    "type": "namespace",
    "name": "agents",
    "description": "Manages agents.",
    "tools": [{"type": "function", "name": "wait", "parameters": {"type": "object"}}, CUSTOM],
}
WAIT = {"id": "c1", "type": "function", "function": {"name": "agents__wait", "arguments": "{}"}}


def test_tools_of_a_namespace_are_functions_for_the_server(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(answer("", finish="tool_calls", tool_calls=[WAIT]), answer("Done."))
    item = respond(alice_v1, "Wait", tools=[AGENTS]).json["output"][0]
    assert (item["type"], item["namespace"], item["name"]) == ("function_call", "agents", "wait")
    result = {"type": "function_call_output", "call_id": "c1", "output": "ok"}
    respond(alice_v1, [{"role": "user", "content": "Wait"}, item, result], tools=[AGENTS])
    sent = models_configured.chats[1].body
    assert [one["function"]["name"] for one in sent["tools"]] == ["agents__wait", "agents__apply_patch"]
    assert sent["messages"][1]["tool_calls"][0]["function"]["name"] == "agents__wait"


@pytest.mark.parametrize(("tool", "kind"), [("wait", "function_call"), ("apply_patch", "custom_tool_call")])
def test_tool_of_a_namespace_is_called_in_a_stream(
    tool: str, kind: str, alice_v1: Caller, models_configured: LLMServer
) -> None:
    call = {"index": 0, "id": "c1", "function": {"name": f"agents__{tool}", "arguments": '{"input": "a"}'}}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
    chunk = json.dumps({"id": "x", "choices": [choice]})
    models_configured.script(raw_stream(f"data: {chunk}\n\n".encode(), b"data: [DONE]\n\n"))
    events = respond(alice_v1, "Do it", tools=[AGENTS], stream=True).events
    items = [one["item"] for one in events if "item" in one] + events[-1]["response"]["output"]
    assert {(one["type"], one["namespace"], one["name"]) for one in items} == {(kind, "agents", tool)}


@pytest.mark.parametrize("tools", ["search", [{"type": "function"}], [{"type": "namespace", "tools": []}]])
def test_tools_without_a_name_are_refused(tools: Any, alice_v1: Caller, models_configured: LLMServer) -> None:
    assert respond(alice_v1, "Hi", tools=tools).status == 400


def test_conversation_holds_items_and_is_answered_in(alice_v1: Caller, models_configured: LLMServer) -> None:
    items = [{"role": "user", "content": "My dog is Rex."}, {"role": "assistant", "content": "Good."}]
    made = alice_v1.post("/v1/conversations", {"items": items, "metadata": {"a": "b"}}).json
    said = respond(alice_v1, "And you?", conversation=made["id"])
    sent = [one["content"] for one in models_configured.chats[0].messages]
    assert sent == ["My dog is Rex.", "Good.", "And you?"]
    assert said.json["conversation"] == {"id": made["id"]}
    listed = alice_v1.get(f"/v1/conversations/{made['id']}/items?order=asc&limit=3").json
    assert [one["content"][0]["text"] for one in listed["data"]] == sent
    assert listed["has_more"]
    rest = alice_v1.get(f"/v1/conversations/{made['id']}/items?order=asc&after={listed['last_id']}").json
    assert [one["content"][0]["text"] for one in rest["data"]] == ["ok"]


def test_items_are_added_read_and_deleted(alice_v1: Caller) -> None:
    path = f"/v1/conversations/{alice_v1.post('/v1/conversations', {}).json['id']}"
    items = [
        {"type": "function_call", "call_id": "c1", "name": "add", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "2"},
    ]
    added = alice_v1.post(f"{path}/items", {"items": items}).json["data"]
    assert [one["type"] for one in added] == ["function_call", "function_call_output"]
    assert alice_v1.get(f"{path}/items/{added[1]['id']}").json["output"] == "2"
    assert alice_v1.delete(f"{path}/items/{added[1]['id']}").status == 200
    assert [one["type"] for one in alice_v1.get(f"{path}/items").json["data"]] == ["function_call"]
    assert alice_v1.post(f"{path}/items", {"items": items * 11}).status == 400


def test_request_without_a_name_is_not_answered_in_a_conversation(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    items = [{"type": "message", "role": "user", "content": "Where is Bergen?"}]
    conversation = alice_v1.post("/v1/conversations", {"items": items}).json["id"]
    alice_v1.post("/v1/responses", {"input": items})
    listed = alice_v1.get(f"/v1/conversations/{conversation}/items").json["data"]
    assert [one["role"] for one in listed] == ["user"]


def test_conversation_is_changed_and_deleted(alice_v1: Caller) -> None:
    path = f"/v1/conversations/{alice_v1.post('/v1/conversations', {}).json['id']}"
    assert alice_v1.post(path, {"metadata": {"a": "b"}}).json["metadata"] == {"a": "b"}
    assert alice_v1.delete(path).json["deleted"]
    assert alice_v1.get(path).status == 404


def test_somebody_else_s_ids_are_not_found(
    alice_v1: Caller, bob_v1: Caller, models_configured: LLMServer
) -> None:
    response = respond(alice_v1, "Hi").json["id"]
    items = [{"role": "user", "content": "Secret"}]
    conversation = alice_v1.post("/v1/conversations", {"items": items}).json["id"]
    item = alice_v1.get(f"/v1/conversations/{conversation}/items").json["last_id"]
    own = bob_v1.post("/v1/conversations", {}).json["id"]
    paths = [
        f"/v1/responses/{response}",
        f"/v1/responses/{response}/input_items",
        f"/v1/conversations/{conversation}",
        f"/v1/conversations/{conversation}/items",
        f"/v1/conversations/{conversation}/items/{item}",
        f"/v1/conversations/{own}/items/{item}",
    ]
    assert {path: bob_v1.get(path).status for path in paths} == dict.fromkeys(paths, 404)
    assert bob_v1.delete(f"/v1/responses/{response}").status == 404
    assert bob_v1.delete(f"/v1/conversations/{conversation}").status == 404
    assert respond(bob_v1, "Hi", previous_response_id=response).status == 404
    assert respond(bob_v1, "Hi", conversation=conversation).status == 404
    assert respond(bob_v1, [{"type": "item_reference", "id": item}]).status == 404


def test_client_that_adds_the_items_itself_has_each_once(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    """OpenAI's Agents SDK with a session sends the whole history, and then adds what is new."""
    conversation = alice_v1.post("/v1/conversations", {}).json["id"]
    history: list[dict[str, Any]] = []
    for number in range(3):
        models_configured.script(answer(f"This is answer {number}, which is long enough to be recognised."))
        said = respond(alice_v1, [*history, {"role": "user", "content": f"Question {number}"}])
        new = [{"role": "user", "content": f"Question {number}"}, *said.json["output"]]
        alice_v1.post(f"/v1/conversations/{conversation}/items", {"items": new})
        history += new
    kept = alice_v1.get(f"/v1/conversations/{conversation}/items?order=asc").json["data"]
    assert [one["content"][0]["text"] for one in kept] == [_read_text(item) for item in history]
    assert Message.objects.filter(thread_id=said.thread).count() == len(history)


def _read_text(item: dict[str, Any]) -> str:
    content = item["content"]
    return str(content if isinstance(content, str) else content[0]["text"])


def test_answer_that_takes_seconds_to_store_can_be_continued(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def store_late(reply: Reply, produced: ProducedAnswer, status: ReplyStatus) -> Message | None:
        await asyncio.sleep(2.2)
        return await store_answer_patiently(reply, produced, status)

    with monkeypatch.context() as slow:
        slow.setattr(running, "store_answer_patiently", store_late)
        first = respond(alice_v1, "One").json["id"]
    assert respond(alice_v1, "Two", previous_response_id=first).status == 200
