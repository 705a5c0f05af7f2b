"""Who may call `/v1`, what else is there, and how that is said."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from memsite.accounts.models import User
from tests.llm_server import LLMServer
from tests.threads.completions.calling import Caller
from tests.threads.completions.conftest import CallerOf
from threads.models import Message

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", ["", "msk_000000000000_x", "sk-test"])
def test_wrong_key_is_an_authentication_error(
    key: str, alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = Caller(alice_v1.loop, key).chat("Hi")
    assert (said.status, said.error["code"]) == (401, "invalid_api_key")


def test_key_that_only_reads_completes_nothing(
    alice: User, caller_of: CallerOf, models_configured: LLMServer
) -> None:
    said = caller_of(alice, "read").chat("Hi")
    assert (said.status, said.error["type"]) == (403, "permission_error")


def test_requests_count_towards_the_limit_of_the_api(
    alice_v1: Caller, settings: Settings, models_configured: LLMServer
) -> None:
    settings.MEMSITE_RATE_LIMIT = (2, 3600)
    assert [alice_v1.chat("Hi").status for _ in range(2)] == [200, 200]
    said = alice_v1.chat("Hi")
    assert (said.status, len(models_configured.chats)) == (429, 2)
    assert int(said.headers["retry-after"]) > 0


def test_thread_of_somebody_else_is_not_found(
    alice_v1: Caller, bob_v1: Caller, models_configured: LLMServer
) -> None:
    thread = alice_v1.chat("Hi").thread
    said = bob_v1.chat("Hi", headers={"Memsite-Thread": thread})
    assert thread not in (said.headers.get("memsite-thread", ""))
    assert Message.objects.filter(thread_id=thread).count() == 2


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/audio/speech", "/v1/files", "/v1/chat"])
def test_other_paths_are_not_found_in_openai_s_shape(path: str, alice_v1: Caller) -> None:
    said = alice_v1.get(path)
    assert said.status == 404
    assert set(said.error) == {"message", "type", "param", "code"}


def test_anthropic_s_path_is_explained(alice_v1: Caller) -> None:
    assert "OpenAI" in alice_v1.post("/v1/messages", {}).error["message"]


def test_wrong_method_is_said(alice_v1: Caller) -> None:
    assert alice_v1.get("/v1/chat/completions").status == 405


def test_path_may_end_with_a_slash(alice_v1: Caller, models_configured: LLMServer) -> None:
    body = {"model": "memsite", "messages": [{"role": "user", "content": "Hi"}]}
    assert alice_v1.post("/v1/chat/completions/", body).status == 200


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"messages": "Hi"}', b'{"messages": ["Hi"]}'])
def test_wrong_body_is_an_invalid_request(
    body: bytes, alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = alice_v1.post("/v1/chat/completions", body)
    assert (said.status, said.error["type"]) == (400, "invalid_request_error")


def test_body_of_more_than_20_mb_is_too_large(alice_v1: Caller, models_configured: LLMServer) -> None:
    assert alice_v1.post("/v1/chat/completions", b" " * (20 * 1024**2 + 1)).status == 413


def test_request_id_is_answered(alice_v1: Caller) -> None:
    assert alice_v1.get("/v1/models", x_request_id="abc-1").headers["x-request-id"] == "abc-1"
    assert len(alice_v1.get("/v1/models").headers["x-request-id"]) == 32


def test_named_origin_may_call_and_read_our_headers(alice_v1: Caller, settings: Settings) -> None:
    settings.MEMSITE_CORS_ORIGINS = ["https://chat.example"]
    asked = {
        "origin": "https://chat.example",
        "access-control-request-headers": "authorization,x-stainless-os",
    }
    said = alice_v1.call("OPTIONS", "/v1/chat/completions", headers=asked)
    assert (said.status, said.headers["access-control-allow-origin"]) == (204, "https://chat.example")
    assert said.headers["access-control-allow-headers"] == "authorization,x-stainless-os"
    other = alice_v1.call("OPTIONS", "/v1/chat/completions", headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in other.headers


def test_models_are_the_configured_ones_then_the_server_s(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.models = ["primary-model", "org/large"]
    said = alice_v1.get("/v1/models").json
    assert [one["id"] for one in said["data"]] == ["primary-model", "fast-model", "org/large"]
    assert said["data"][1] == {"id": "fast-model", "object": "model", "created": 0, "owned_by": "memsite"}
    alice_v1.chat("Hi", model="org/large")
    assert models_configured.chats[0].body["model"] == "org/large"
    assert alice_v1.get("/v1/models/org/large").json["owned_by"] == "scripted"
    assert models_configured.model_lists == 1


def test_models_are_listed_while_the_server_is_away(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.get("/v1/models/")
    assert [one["id"] for one in said.json["data"]] == ["primary-model", "fast-model"]
    assert alice_v1.get("/v1/models/nothing").status == 404
