"""Chat completions: what goes to the model server, what comes back, and what is stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memories.models import Memory
from memsite.accounts.models import User
from tests.llm_server import LLMServer, answer, hang, raw_stream, stream
from tests.threads.completions.calling import Caller
from threads.completions import running
from threads.models import Message, Reply, SentContext

pytestmark = pytest.mark.django_db


def stored(thread: str) -> list[tuple[str, str]]:
    rows = Message.objects.filter(thread_id=thread).order_by("depth", "id")
    return [(row.role, row.content) for row in rows]


def test_key_and_base_url_are_enough(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("Hello Alice."))
    said = alice_v1.chat("Hi")
    assert (said.status, said.text) == (200, "Hello Alice.")
    assert stored(said.thread) == [("user", "Hi"), ("assistant", "Hello Alice.")]
    assert said.json["memsite"]["thread"] == said.thread


@pytest.mark.parametrize("name", ["memsite", "gpt-17", "", None])
def test_model_we_do_not_have_means_the_primary_one(
    name: str | None, alice_v1: Caller, models_configured: LLMServer
) -> None:
    alice_v1.chat("Hi", model=name)
    assert models_configured.chats[0].body["model"] == "primary-model"


def test_fields_of_both_directions_are_passed_through(alice_v1: Caller, models_configured: LLMServer) -> None:
    fields: dict[str, Any] = {
        "tools": [{"type": "function", "function": {"name": "add", "parameters": {}}}],
        "tool_choice": "auto",
        "n": 2,
        "stop": ["END"],
        "seed": 7,
        "logprobs": True,
        "response_format": {"type": "json_object"},
        "min_p": 0.1,
        "chat_template_kwargs": {"enable_thinking": False},
        "user": "u1",
        "metadata": {"a": "b"},
    }
    models_configured.script(answer("Yes.", reasoning_content="Because.", annotations=[{"x": 1}]))
    said = alice_v1.chat("Hi", **fields)
    sent = models_configured.chats[0].body
    assert {name: sent[name] for name in fields} == fields
    assert said.json["choices"][0]["message"]["reasoning_content"] == "Because."
    assert said.json["choices"][0]["message"]["annotations"] == [{"x": 1}]


def test_images_reach_the_server_and_are_stored_as_text(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    said = alice_v1.chat({"role": "user", "content": parts})
    assert models_configured.chats[0].messages[-1]["content"] == parts
    assert "AAAA" not in stored(said.thread)[0][1]


def test_stream_is_relayed_byte_for_byte(alice_v1: Caller, models_configured: LLMServer) -> None:
    delta = {"index": 0, "delta": {"content": "Hé", "reasoning": "hm"}, "finish_reason": None}
    chunk = {"id": "x", "object": "chat.completion.chunk", "system_fingerprint": "fp", "choices": [delta]}
    first = b"data: " + json.dumps(chunk).encode() + b"\r\n\r\n"
    last = b'data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    models_configured.script(raw_stream(b": hello\n\n", first, last, b"data: [DONE]\n\n"))
    said = alice_v1.chat("Hi", stream=True)
    assert said.body == b": hello\n\n" + first + last + b"data: [DONE]\n\n"
    assert said.headers["content-type"].startswith("text/event-stream")
    assert stored(said.thread)[-1] == ("assistant", "Hé")


def test_tool_calls_of_a_stream_are_stored(alice_v1: Caller, models_configured: LLMServer) -> None:
    def chunk(**delta: Any) -> bytes:
        body = {"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        return b"data: " + json.dumps(body).encode() + b"\n\n"

    models_configured.script(
        raw_stream(
            chunk(tool_calls=[{"index": 0, "id": "c1", "type": "function", "function": {"name": "add"}}]),
            chunk(tool_calls=[{"index": 0, "function": {"arguments": '{"a":'}}]),
            chunk(tool_calls=[{"index": 0, "function": {"arguments": "1}"}}]),
            b'data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
            b"data: [DONE]\n\n",
        )
    )
    said = alice_v1.chat("Add", stream=True)
    calls = Message.objects.get(thread_id=said.thread, role="assistant").tool_calls
    assert calls == [{"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a":1}'}}]


def test_choice_0_of_several_is_stored(alice_v1: Caller, models_configured: LLMServer) -> None:
    choices = [
        {"index": place, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for place, text in ((1, "Second."), (0, "First."))
    ]
    models_configured.script(lambda exchange: exchange.send_json({"id": "x", "choices": choices}))
    said = alice_v1.chat("Hi", n=2)
    assert stored(said.thread)[-1] == ("assistant", "First.")
    assert len(said.json["choices"]) == 2


def test_memories_are_one_block_at_the_end_of_the_system_message(
    alice: User, alice_v1: Caller, alice_api: Any, models_configured: LLMServer
) -> None:
    alice_api.post("/api/memories", {"content": "Alice's dog is called Rex."})
    system = {"role": "system", "content": "Be brief."}
    said = alice_v1.chat(system, {"role": "user", "content": "What is my dog called?"})
    sent = models_configured.chats[0].messages
    assert sent[0]["content"].startswith("Be brief.\n\n")
    assert "Rex" in sent[0]["content"]
    assert sent[1] == {"role": "user", "content": "What is my dog called?"}
    assert said.memory.startswith("used=1; tokens=")
    assert len(said.headers["memsite-citations"].split(",")) == 1
    assert SentContext.objects.get(thread_id=said.thread).memories == [Memory.objects.get().pk]


def test_budget_of_the_client_lowers_ours(
    alice_v1: Caller, alice_api: Any, models_configured: LLMServer
) -> None:
    alice_api.post("/api/memories", {"content": "Alice's dog is called Rex."})
    said = alice_v1.chat("What is my dog called?", headers={"Memsite-Budget": "0"})
    assert "Rex" not in models_configured.chats[0].prompt
    assert said.memory.startswith("used=0; tokens=0")
    assert alice_v1.chat("Hi", headers={"Memsite-Budget": "many"}).status == 400


def test_steps_of_a_tool_loop_reuse_the_block(
    alice_v1: Caller, alice_api: Any, models_configured: LLMServer
) -> None:
    alice_api.post("/api/memories", {"content": "Alice's dog is called Rex."})
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    models_configured.script(answer("", finish="tool_calls", tool_calls=[call]))
    question = {"role": "user", "content": "What is my dog called?"}
    first = alice_v1.chat(question)
    alice_api.post("/api/memories", {"content": "Alice's dog is called Bella by her sister."})
    calling = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": "c1", "content": "nothing"}
    second = alice_v1.chat(question, calling, result, headers={"Memsite-Thread": first.thread})
    blocks = [chat.messages[0]["content"] for chat in models_configured.chats]
    assert second.status == 200
    assert blocks[0] == blocks[1]
    assert [role for role, _ in stored(first.thread)] == ["user", "assistant", "tool", "assistant"]


def test_skipped_request_goes_up_as_it_came_and_leaves_nothing(
    alice_v1: Caller, alice_api: Any, models_configured: LLMServer
) -> None:
    alice_api.post("/api/memories", {"content": "Alice's dog is called Rex."})
    said = alice_v1.chat("What is my dog called?", headers={"Memsite-Task": "title_generation"})
    assert models_configured.chats[0].messages == [{"role": "user", "content": "What is my dog called?"}]
    assert said.memory == "skipped; reason=title_generation"
    assert "memsite-thread" not in said.headers
    assert not Message.objects.exists()


def test_answer_belongs_to_a_reply_that_is_done(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.chat("Hi", stream=True)
    reply = Reply.objects.get(thread_id=said.thread)
    assert (reply.status, reply.source) == ("done", "llm")


def test_server_that_does_not_stream_is_streamed_as_one_chunk(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Whole."}, "finish_reason": "stop"}
    models_configured.script(lambda exchange: exchange.send_json({"id": "x", "choices": [choice]}))
    said = alice_v1.chat("Hi", stream=True)
    assert said.streamed_text == "Whole."
    assert said.events[-1] == "[DONE]"


def test_silence_is_filled_with_comments(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "SILENCE", 0.05)
    end = b'data: {"id":"x","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n'
    models_configured.script(raw_stream(b": first\n\n", end, pause=0.5))
    said = alice_v1.chat("Hi", stream=True)
    assert b": waiting\n\n" in said.body
    assert said.streamed_text == "a"


def test_client_that_leaves_gets_a_cut_answer_stored(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(stream("One ", finish=None, then_hang=True))
    alice_v1.chat("Count", stream=True, leave_after=1)
    answered = Message.objects.get(role="assistant")
    assert (answered.content, answered.state["cut"]) == ("One ", "cut")


def test_client_that_leaves_before_the_answer_keeps_its_question(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(hang())
    alice_v1.chat("Count", leave_when=lambda: bool(models_configured.chats))
    assert [row.content for row in Message.objects.all()] == ["Count"]
    assert Reply.objects.get().status == "failed"
