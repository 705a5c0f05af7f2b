"""Bodies that no honest client sends get a clear error, or reach the model server as they are."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from memsite.rest.parsing import MOST_VALUES
from memsite.serving.streaming import OwnLoop
from tests.llm_server import LLMServer, payload, raw_stream
from tests.threads.completions.calling import Caller
from threads.completions.endpoints import requests
from threads.models import Message

pytestmark = pytest.mark.django_db
HALF = "\ud83d"  # the first half of an emoji, as a text cut in UTF-16 ends
MESSAGE = {"role": "user", "content": "Hi"}


@pytest.mark.parametrize("odd", [[], {}, None, 5, True, "robot"])
def test_role_of_any_kind_is_for_the_model_server_to_judge(
    odd: object, alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = alice_v1.chat({"role": odd, "content": "Hm"}, MESSAGE)
    assert said.status == 200
    assert {"role": odd, "content": "Hm"} in models_configured.chats[-1].messages


@pytest.mark.parametrize("odd", [[], {}, None, 5, True, "NaN", [[["deep"]]], {"type": []}])
@pytest.mark.parametrize(
    "field", ["metadata", "user", "store", "tools", "n", "conversation", "prompt_cache_key", "stream_options"]
)
def test_field_of_any_kind_is_answered(
    field: str, odd: object, alice_v1: Caller, models_configured: LLMServer
) -> None:
    assert alice_v1.chat(MESSAGE, **{field: odd}).status == 200


@pytest.mark.parametrize("odd", [[], {}, 5, True, [[]], [{"type": []}], [{"role": []}], {"type": []}])
@pytest.mark.parametrize("field", ["input", "tools", "metadata", "text", "reasoning", "instructions"])
def test_response_of_odd_fields_is_no_failure_of_ours(
    field: str, odd: object, alice_v1: Caller, models_configured: LLMServer
) -> None:
    assert alice_v1.post("/v1/responses", {"input": "Hi", field: odd}).status in {200, 400}


@pytest.mark.parametrize("content", [b'{"a": NaN}', b'{"a": 1e999}', b"[" * 100_000, b"\xff"])
def test_what_is_no_json_is_invalid(content: bytes, alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.call("POST", "/v1/chat/completions", content)
    assert (said.status, said.error["message"]) == (400, "The body is not JSON.")


def test_json_of_too_many_values_is_refused(alice_v1: Caller, models_configured: LLMServer) -> None:
    many = b'{"messages": [' + b"{}," * MOST_VALUES + b"{}]}"
    said = alice_v1.call("POST", "/v1/chat/completions", many)
    assert (said.status, said.error["code"]) == (413, "too_large")


@pytest.mark.parametrize("depth", [400, 900, 5_000])
def test_deep_json_is_answered_or_invalid(depth: int, alice_v1: Caller, models_configured: LLMServer) -> None:
    deep = json.dumps({"messages": [MESSAGE], "x": 0}).replace("0", "[" * depth + "]" * depth)
    assert alice_v1.call("POST", "/v1/chat/completions", deep.encode()).status in {200, 400}


def test_half_a_character_is_answered_and_stored(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.chat(f"Hi {HALF}", metadata={"name": HALF}, user=HALF)
    assert (said.status, said.memory.partition("=")[0]) == (200, "used")
    assert models_configured.chats[-1].messages[-1]["content"] == "Hi ?"


def test_whole_characters_written_as_escapes_stay(alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.chat("Hi 😀 C:\\ud83d")
    assert models_configured.chats[-1].messages[-1]["content"] == "Hi 😀 C:\\ud83d"


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        (r"a\ud83d b", "a? b"),
        (r"\ud83d\ude00\ude00", "😀?"),
        (r"\\ud83d \\\ud83d", r"\ud83d \?"),
        (r"\u4e2d\n\ud83d", "中\n?"),
    ],
)
def test_half_a_character_of_a_large_body_is_replaced(
    sent: str, received: str, alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "_LARGE", 10)
    body = f'{{"messages": [{{"role": "user", "content": "{sent}"}}]}}'.encode()
    assert alice_v1.post("/v1/chat/completions", body).status == 200
    assert models_configured.chats[-1].messages[-1]["content"] == received


@pytest.mark.parametrize("content", [b'{"a": NaN}', b'{"a": 1e999}', b"[" * 100_000, b"\xff"])
def test_large_body_that_is_no_json_is_invalid(
    content: bytes, alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "_LARGE", 1)
    said = alice_v1.call("POST", "/v1/chat/completions", content)
    assert (said.status, said.error["message"]) == (400, "The body is not JSON.")


def test_large_body_is_parsed_outside_of_the_event_loop(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def parse(content: bytes) -> Any:
        threads.append(threading.current_thread())
        return json.loads(content)

    monkeypatch.setattr(requests, "_LARGE", 10)
    monkeypatch.setattr(requests, "_parse_large_json", parse)
    assert alice_v1.chat("Hi").status == 200
    assert threads == [threading.current_thread()]  # on which the test's loop runs what belongs on threads


def test_large_body_costs_the_event_loop_less_than_to_encode_it(
    loop: OwnLoop, alice_v1: Caller, models_configured: LLMServer
) -> None:
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": "Where is the key?"} for place in range(80_001)]
    body = json.dumps({"messages": messages}).encode()
    alice_v1.chat("Hi", headers={"memsite-memory": "off"})  # makes the client
    began, started = loop.run(_read_own_time()), time.thread_time()
    json.dumps({"messages": messages}, ensure_ascii=False)
    encoding = time.thread_time() - started
    headers = {"memsite-memory": "off"}
    assert alice_v1.call("POST", "/v1/chat/completions", body, headers=headers).status == 200
    assert models_configured.chats[-1].body["messages"] == messages
    assert loop.run(_read_own_time()) - began < encoding


async def _read_own_time() -> float:
    return time.thread_time()


def test_half_a_character_of_the_model_reaches_the_client(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    whole = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"content": f"Ha {HALF}"}}]}
    models_configured.script(payload(whole))
    assert alice_v1.chat("Hi").text == f"Ha {HALF}"


def test_half_a_character_of_a_stream_is_written_in_typed_events(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    chunk = {"choices": [{"index": 0, "finish_reason": "stop", "delta": {"content": f"Ha {HALF}"}}]}
    models_configured.script(raw_stream(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()))
    said = alice_v1.post("/v1/responses", {"input": "Hi", "stream": True})
    assert said.events[-1]["response"]["status"] == "completed"


@pytest.mark.parametrize("text", ["\x00", "a\x00b", "line\r\nSet-Cookie: a=b"])
def test_control_characters_in_our_headers_are_refused_or_ignored(
    text: str, alice_v1: Caller, models_configured: LLMServer
) -> None:
    for name in ("Thread", "Message", "Parent", "Reply", "Memory", "Context", "Budget"):
        said = alice_v1.chat("Hi", headers={f"Memsite-{name}": text})
        assert said.status == 400, name
    said = alice_v1.chat("Hi", headers={"Memsite-Task": text})
    assert said.memory.startswith("skipped; reason=")
    assert said.memory.isprintable()
    assert not Message.objects.exists()


def test_page_of_items_has_a_limit_of_few_digits(alice_v1: Caller) -> None:
    made: dict[str, Any] = alice_v1.post("/v1/conversations", {}).json
    said = alice_v1.get(f"/v1/conversations/{made['id']}/items?limit={'9' * 5_000}")
    assert said.status == 400
