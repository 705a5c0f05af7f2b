"""Requests, keys, headers and errors of `/mcp`, as raw HTTP and by the client of `mcp`."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from mcp.shared.exceptions import MCPError
from pytest_django import Settings

from memories.mcp import application, callers, server
from memories.mcp.rendering import Answer
from memories.mcp.server import INSTRUCTIONS
from memories.models import Memory
from memories.values import Candidate, Kind, Layer
from memories.writing import write_candidates
from memsite.accounts.applications import create_application
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.llm.tokens import count_tokens
from tests.memories.mcp.messages import (
    ERAS,
    HANDSHAKE,
    MODERN,
    call,
    make_key,
    post,
    request,
    text_of,
    with_client,
)

LIST = request("tools/list")


def remember(owner: User, *contents: str) -> None:
    candidates = [Candidate(content=content, layer=Layer.SEMANTIC, kind=Kind.FACT) for content in contents]
    write_candidates(candidates, owner=owner.pk, actor="test")


@pytest.mark.parametrize(
    ("headers", "challenge"),
    [
        ({}, "Bearer"),
        ({"Authorization": "Bearer msk_0_wrong"}, 'Bearer error="invalid_token"'),
        ({"Authorization": "Basic YTpi"}, 'Bearer error="invalid_token"'),
    ],
)
@pytest.mark.django_db
def test_request_without_a_valid_key_is_challenged(
    settings: Settings, headers: dict[str, str], challenge: str
) -> None:
    settings.MEMSITE_PUBLIC_URL = "http://memory.example"  # no OAuth without https
    answer = post(LIST, **headers)
    assert answer.status == 401
    assert answer.headers["www-authenticate"] == challenge
    assert answer.json["error"]["data"] == {"code": "not_authenticated"}


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_only_post_is_allowed(alice: User, method: str) -> None:
    answer = post(b"", make_key(alice), method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path_of_origin", ["http://evil.example", "null", "http://localhost.evil.example"])
def test_foreign_origin_is_refused(alice: User, path_of_origin: str) -> None:
    assert post(LIST, make_key(alice), Origin=path_of_origin).status == 403


def test_unknown_host_is_refused(alice: User) -> None:
    assert post(LIST, make_key(alice), Host="evil.example", Origin="http://evil.example").status == 421


def test_page_of_the_public_url_may_call_behind_a_proxy(alice: User, settings: Settings) -> None:
    settings.MEMSITE_PUBLIC_URL = "https://memory.example.org"
    assert post(LIST, make_key(alice), Origin="https://memory.example.org").status == 200


def test_listed_origin_may_read_the_answer(alice: User, settings: Settings) -> None:
    settings.MEMSITE_CORS_ORIGINS = ["https://chat.example"]
    answer = post(LIST, make_key(alice), Origin="https://chat.example")
    assert answer.status == 200
    assert answer.headers["access-control-allow-origin"] == "https://chat.example"


def test_answer_is_json_without_a_session(alice: User) -> None:
    answer = post(LIST, make_key(alice), MCP_Protocol_Version=HANDSHAKE)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["memsite-owner"] == str(alice.pk)
    assert "mcp-session-id" not in answer.headers


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"\xff\xfe", 400),
        (b"[" * 50_000, 400),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}}', 200),
        (b" " * (1024 * 1024 + 1), 413),
    ],
)
@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
def test_malformed_message_is_refused_in_the_protocols_shape(
    alice: User, content: bytes, status: int, version: str
) -> None:
    answer = post(content, make_key(alice), MCP_Protocol_Version=version)
    assert answer.status == status or (status == 200 and answer.status == 400)
    assert answer.json["jsonrpc"] == "2.0"
    assert "code" in answer.json["error"]


@pytest.mark.parametrize(
    "given",
    [
        r'{"action": "add", "content": "half \ud800 a pair"}',
        r'{"action": "add", "content": "plums", "tags": ["\udfff"]}',
        r'{"action": "reflect", "query": "\ud800"}',
    ],
)
def test_text_that_cannot_be_stored_is_said_to_the_model(alice: User, given: str) -> None:
    start = "io.modelcontextprotocol/"
    meta = json.dumps({f"{start}protocolVersion": MODERN, f"{start}clientCapabilities": {}})
    params = f'{{"name": "memory", "arguments": {given}, "_meta": {meta}}}'
    message = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'.encode()
    headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "memory"}
    result = post(message, make_key(alice), **headers).json["result"]
    assert "half of a surrogate pair cannot be stored" in result["content"][0]["text"]


def test_large_message_is_answered_and_a_larger_one_refused(alice: User) -> None:
    key = make_key(alice)
    fits = request("tools/call", name="memory", arguments={"action": "add", "content": "x" * 900_000})
    assert post(fits, key).json["result"]["isError"]
    assert post({**LIST, "params": {"x": "y" * 1024 * 1024}}, key).status == 413


def test_rate_limit_is_that_of_the_api(alice: User, settings: Settings) -> None:
    settings.MEMSITE_RATE_LIMIT = (2, 3600)
    key = make_key(alice)
    assert [post(LIST, key).status for _ in range(2)] == [200, 200]
    answer = post(LIST, key)
    assert answer.status == 429
    assert int(answer.headers["retry-after"]) > 0


def test_application_key_acts_for_its_end_user(alice: User) -> None:
    application = create_application(alice, "helpdesk")
    _, key = issue_key(alice, name="helpdesk", application=application)
    call(key, "memory", action="add", content="Emma dislikes olives", user="emma")
    owner = Memory.objects.get().owner
    assert (owner.external_id, owner.application) == ("emma", application)
    assert call(key, "memory", action="list").structured_content["total"] == 0


def test_end_user_needs_an_applications_key(alice: User) -> None:
    assert post(LIST, make_key(alice), Memsite_User="emma").status == 400


def test_revoked_person_is_refused_at_once(alice: User) -> None:
    key = make_key(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert post(LIST, key).status == 401


@pytest.mark.parametrize("mode", ERAS)
def test_instructions_are_short(alice: User, mode: str) -> None:
    async def read(client: Any) -> Any:
        return client.instructions

    said = with_client(make_key(alice), read, mode="auto" if mode == MODERN else mode)
    assert said == INSTRUCTIONS
    assert len(said.split()) <= 150


@pytest.mark.parametrize("mode", ERAS)
def test_profile_is_short_and_fresh_for_a_minute(alice: User, mode: str) -> None:
    remember(alice, *(f"Alice knows fact {number} about ships, harbours and trains" for number in range(150)))

    async def read(client: Any) -> Any:
        return await client.read_resource("memsite://profile")

    profile = with_client(make_key(alice), read, mode=mode)
    assert 500 < count_tokens(profile.contents[0].text) <= 1500
    assert "<memories " in profile.contents[0].text
    assert profile.ttl_ms == (60_000 if mode == MODERN else 0)


@pytest.mark.parametrize("mode", ERAS)
def test_prompt_recalls_a_topic(alice: User, bob: User, mode: str) -> None:
    remember(alice, "Alice dislikes olives")
    remember(bob, "Bob dislikes olives")

    async def get(client: Any) -> Any:
        return await client.get_prompt("recall", {"topic": "olives"})

    text = with_client(make_key(alice), get, mode=mode).messages[0].content.text
    assert "Alice dislikes olives" in text
    assert "Bob" not in text


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("get_prompt", ("recall", {})),
        ("get_prompt", ("forget", {"topic": "x"})),
        ("read_resource", ("memsite://secrets",)),
    ],
)
def test_what_does_not_exist_is_an_error_of_the_protocol(alice: User, method: str, arguments: Any) -> None:
    async def ask(client: Any) -> None:
        with pytest.raises(MCPError) as raised:
            await getattr(client, method)(*arguments)
        assert raised.value.code == -32602

    with_client(make_key(alice), ask)


def test_unknown_tool_is_said_to_the_model(alice: User) -> None:
    result = call(make_key(alice), "eval", code="1")
    assert result.is_error
    assert "There is no such tool" in text_of(result)


def test_memory_that_is_off_says_so(alice: User) -> None:
    set_preferences(alice.pk, memory_on=False)
    key = make_key(alice)
    added = call(key, "memory", action="add", content="Alice dislikes olives")
    assert added.is_error
    assert text_of(added) == "Memory is switched off for this person."
    assert text_of(call(key, "memory", action="search", query="olives")) == text_of(added)


@pytest.mark.parametrize("mode", ERAS)
def test_database_away_is_said_to_the_model(alice: User, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise OperationalError("gone")

    async def search(client: Any) -> Any:
        monkeypatch.setattr(callers, "recognise_bearer", fail)
        return await client.call_tool("memory", {"action": "search", "query": "olives"})

    result = with_client(make_key(alice), search, mode=mode)
    assert result.is_error
    assert text_of(result) == "Memory is away for the moment; go on without it."


def test_database_that_hangs_is_not_waited_for(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "_AUTHENTICATION_SECONDS", 0.2)
    monkeypatch.setattr(callers, "recognise_bearer", lambda *_a, **_k: time.sleep(1))
    message = request("tools/call", name="memory", arguments={"action": "stats"})
    answer = post(message, make_key(alice))
    assert answer.json["result"]["content"][0]["text"] == "Memory is away for the moment; go on without it."


def answer_after(seconds: float) -> Callable[..., Answer]:
    def answer(*_: object) -> Answer:
        time.sleep(seconds)
        return Answer("late")

    return answer


def test_database_that_stops_during_a_tool_is_said_to_the_model(
    alice: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_LOOK_AFTER", 0.05)
    monkeypatch.setattr(server, "_LOOK_SECONDS", 0.2)
    monkeypatch.setattr(server, "do_action", answer_after(1))
    key = make_key(alice)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.DATABASE_URL = f"postgresql://m@127.0.0.1:{silent.getsockname()[1]}/m"
        answer = post(request("tools/call", name="memory", arguments={"action": "stats"}), key)
    assert answer.json["result"]["content"][0]["text"] == "Memory is away for the moment; go on without it."


def test_slow_tool_is_waited_for_while_the_database_answers(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_LOOK_AFTER", 0.05)
    monkeypatch.setattr(server, "do_action", answer_after(0.5))
    assert text_of(call(make_key(alice), "memory", action="stats")) == "late"


def test_bug_is_not_shown(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.mcp.server.do_action", lambda *_: 1 / 0)
    result = call(make_key(alice), "memory", action="stats")
    assert result.is_error
    assert "zero" not in text_of(result)
