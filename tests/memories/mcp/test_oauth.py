"""Programs that connected by OAuth, at /mcp."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from pytest_django import Settings

from memories.models import Memory
from memsite.accounts.models import User
from memsite.edge.bodies import ANONYMOUS_BYTES
from tests.accounts.oauth.connecting import SITE, Program, register
from tests.memories.mcp.messages import do, post, request

LIST = request("tools/list")


@pytest.fixture
def program(settings: Settings, alice_browser: Client) -> Program:
    """A program that registered itself, and Alice's browser."""
    settings.MEMSITE_PUBLIC_URL = SITE
    return Program(json.loads(register().content)["client_id"], alice_browser)


def test_connected_program_writes_for_its_person(program: Program, alice: User) -> None:
    token = program.connect()["access_token"]
    assert not do(token, "add", content="I keep bees.").is_error
    assert Memory.objects.get(owner_id=alice.pk).content == "I keep bees."


def test_program_that_may_only_read_sees_the_reading_actions(program: Program) -> None:
    token = program.connect(read_only="on")["access_token"]
    tools = {tool["name"]: tool for tool in post(LIST, token).json["result"]["tools"]}
    assert "add" not in json.dumps(tools["memory"]["inputSchema"]["properties"]["action"])


def test_refusal_names_the_metadata_of_the_resource(program: Program) -> None:
    assert program.connect()["access_token"]
    answer = post(LIST, "not-a-token")
    assert answer.status == 401
    assert (
        f'resource_metadata="{SITE}/.well-known/oauth-protected-resource/mcp"'
        in answer.headers["www-authenticate"]
    )


def test_token_names_no_end_user(program: Program) -> None:
    answer = post(LIST, program.connect()["access_token"], Memsite_User="dora")
    assert answer.status == 400
    assert "token of OAuth" in answer.json["error"]["message"]


def test_token_of_a_disconnected_program_is_refused(program: Program) -> None:
    token = program.connect()["access_token"]
    assert post(LIST, token).status == 200
    program.backend.post("/oauth/revoke", {"token": token, "client_id": program.client_id})
    assert post(LIST, token).status == 401


def test_long_message_of_a_connected_program_is_read(program: Program, alice: User) -> None:
    token = program.connect()["access_token"]
    content = "我养蜜蜂。" * 3_000  # in escapes of six characters each
    message = request("tools/call", name="memory", arguments={"action": "add", "content": content})
    assert len(json.dumps(message)) > ANONYMOUS_BYTES
    assert not post(message, token).json["result"]["isError"]
    assert Memory.objects.get(owner_id=alice.pk).content == content


def test_refusal_of_a_long_message_names_the_metadata_of_the_resource(program: Program) -> None:
    answer = post(json.dumps(LIST | {"x": "y" * ANONYMOUS_BYTES}).encode(), "not-a-token")
    assert (answer.status, answer.json["jsonrpc"]) == (401, "2.0")
    assert "oauth-protected-resource/mcp" in answer.headers["www-authenticate"]
