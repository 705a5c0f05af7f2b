"""When the model server, the database or our own parts fail."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.utils import timezone
from pytest_django import Settings

from memories.models import Memory
from memsite.accounts import keys
from memsite.accounts.models import ApiKey, User
from memsite.errors import Unavailable
from memsite.jobs import run_due_jobs
from memsite.metering.models import ModelUsage
from tests.llm_server import (
    LLMServer,
    Step,
    answer,
    broken_stream,
    cut,
    error_with_200,
    hang,
    html,
    raw_stream,
    status,
)
from tests.threads.completions.calling import Caller
from threads.completions import preparation
from threads.completions.endpoints import requests
from threads.context.recall import recall
from threads.models import Message, Reply

pytestmark = pytest.mark.django_db


def spend_budget(user: User, settings: Settings) -> None:
    settings.MEMSITE_MODEL_DAILY_TOKENS = 10
    ModelUsage.objects.create(owner=user, day=datetime.now(UTC).date(), model="m", input_tokens=10)


def gone(*_: object, **__: object) -> Any:
    raise OperationalError("the server closed the connection")


@pytest.mark.parametrize("streamed", ["", "streamed"])
@pytest.mark.parametrize(
    ("step", "code"), [(status(500), 502), (status(503), 502), (html(), 502), (html(500), 502), (hang(), 504)]
)
def test_failing_server_is_an_upstream_error_and_the_question_is_kept(
    step: Step, code: int, streamed: str, alice_v1: Caller, models_configured: LLMServer, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_TIMEOUT = 0.3
    models_configured.script(step)
    said = alice_v1.chat("Hi", stream=bool(streamed))
    assert (said.status, said.error["type"]) == (code, "upstream_error")
    assert [row.content for row in Message.objects.all()] == ["Hi"]
    assert Reply.objects.get().status == "failed"


def test_question_without_an_answer_is_learnt_from(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(status(500))
    alice_v1.chat("I live in Bergen.")
    run_due_jobs()
    assert Memory.objects.filter(content="I live in Bergen.").exists()


def test_server_that_cannot_be_reached_is_a_bad_gateway(
    alice_v1: Caller, models_configured: LLMServer, settings: Settings
) -> None:
    settings.OPENAI_BASE_URL = "http://127.0.0.1:9/v1"
    assert alice_v1.chat("Hi").status == 502


def test_whole_answer_that_breaks_off_is_a_bad_gateway(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(cut())
    assert alice_v1.chat("Hi").status == 502


@pytest.mark.parametrize("code", [400, 404, 422])
def test_refusal_is_passed_on_with_its_body(
    code: int, alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(status(code, "no such tool"))
    said = alice_v1.chat("Hi")
    assert said.status == code
    assert said.error == {
        "message": "no such tool",
        "type": "scripted",
        "code": "scripted_failure",
        "param": None,
    }


def test_limit_of_the_server_is_passed_on_with_its_wait(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(status(429, retry_after="7"))
    said = alice_v1.chat("Hi", stream=True)
    assert (said.status, said.headers["retry-after"]) == (429, "7")


def test_stream_that_breaks_off_ends_with_an_error_and_is_stored_as_cut(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(broken_stream("Hello "))
    said = alice_v1.chat("Hi", stream=True)
    assert said.status == 200
    assert said.events[-1]["error"]["type"] == "upstream_error"
    stored = Message.objects.get(role="assistant")
    assert (stored.content, stored.state["cut"]) == ("Hello ", "cut")


def test_error_in_a_stream_is_relayed_without_an_end(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(raw_stream(b'data: {"error": {"message": "no"}}\n\n', b"data: [DONE]\n\n"))
    said = alice_v1.chat("Hi", stream=True)
    assert said.events == [{"error": {"message": "no"}}]


@pytest.mark.parametrize("streamed", ["", "streamed"])
@pytest.mark.parametrize(("named", "code"), [(None, 502), ("overloaded", 502), (500, 502), (429, 429)])
def test_error_with_a_good_status_gets_a_bad_one(
    named: object, code: int, streamed: str, alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(error_with_200(named))
    said = alice_v1.chat("Hi", stream=bool(streamed))
    assert said.status == code
    assert Reply.objects.get().status == "failed"


def test_without_a_model_nothing_is_tried_again(alice_v1: Caller) -> None:
    said = alice_v1.chat("Hi")
    assert (said.status, said.error["code"], said.headers["x-should-retry"]) == (503, "no_model", "false")
    assert not Message.objects.exists()


def test_spent_budget_is_an_insufficient_quota(
    alice: User, alice_v1: Caller, models_configured: LLMServer, settings: Settings
) -> None:
    spend_budget(alice, settings)
    said = alice_v1.chat("Hi")
    assert (said.status, said.error["code"], said.headers["x-should-retry"]) == (
        429,
        "insufficient_quota",
        "false",
    )
    assert not models_configured.requests


@pytest.mark.parametrize("streamed", ["", "streamed"])
def test_question_is_kept_while_the_model_server_is_not_called(
    streamed: str, alice: User, alice_v1: Caller, models_configured: LLMServer, settings: Settings
) -> None:
    spend_budget(alice, settings)
    refused = alice_v1.chat("I live in Bergen.", stream=bool(streamed))
    assert refused.status == 429
    run_due_jobs()
    assert Memory.objects.filter(content="I live in Bergen.").exists()
    assert Reply.objects.get().status == "failed"


def test_use_is_counted_for_the_owner(alice: User, alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.chat("Hi", stream=True)
    alice_v1.chat("Hi again")
    counted = ModelUsage.objects.get(owner=alice)
    assert (counted.calls, counted.purpose) == (2, "reply")
    assert counted.output_tokens > 5  # the stream's own count, and the server's for the other


def test_recall_that_fails_leaves_an_answer(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise Unavailable("no index")

    monkeypatch.setattr(recall, "search_memories", fail)
    said = alice_v1.chat("What is my dog called?")
    assert (said.status, said.memory) == (200, "degraded; reason=recall")


def test_database_away_in_the_middle_leaves_an_answer(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "store_new_messages", gone)
    said = alice_v1.chat("Hi")
    assert (said.status, said.text, said.memory) == (200, "ok", "degraded; reason=store")


def test_known_key_is_served_while_the_database_is_away(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice_v1.get("/v1/models")
    monkeypatch.setattr(keys, "_find", gone)
    said = alice_v1.chat("Hi")
    assert (said.status, said.memory) == (200, "degraded; reason=store")
    assert not Message.objects.exists()


def test_database_that_is_away_is_queried_by_one_request_at_a_time(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries: list[object] = []

    def find(prefix: str) -> Any:
        queries.append(prefix)
        raise OperationalError("the server closed the connection")

    alice_v1.get("/v1/models")
    monkeypatch.setattr(keys, "_find", find)
    assert {alice_v1.chat("Hi").memory for _ in range(4)} == {"degraded; reason=store"}
    assert len(queries) == 1
    monkeypatch.undo()
    keys.outage.next_look = 0.0  # as if a second had passed
    assert alice_v1.chat("Hi").memory.startswith("used=")


def test_key_that_another_process_recognised_is_served_while_the_database_is_away(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_from_file_location("keys_of_another_process", keys.__file__)
    assert spec is not None
    assert spec.loader is not None
    other = module_from_spec(spec)
    spec.loader.exec_module(other)
    other.recognise_recent_key(alice_v1.key)
    monkeypatch.setattr(keys, "_find", gone)
    assert alice_v1.chat("Hi").memory == "degraded; reason=store"


def test_key_that_was_used_long_ago_is_not_served_while_the_database_is_away(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice_v1.get("/v1/models")
    monkeypatch.setattr(keys, "_find", gone)
    with time_machine.travel(timezone.now() + timedelta(seconds=90)):
        assert alice_v1.chat("Hi").status == 503


def test_database_that_goes_away_while_requests_are_counted_leaves_an_answer(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "count_request", gone)
    assert alice_v1.chat("Hi").memory == "degraded; reason=store"


def test_unknown_key_is_not_served_while_the_database_is_away(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "recognise_recent_key", gone)
    assert alice_v1.chat("Hi").status == 503
    assert not models_configured.chats


def test_revoked_key_is_not_known_any_more(
    alice: User, alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice_v1.get("/v1/models")
    keys.revoke_key(str(ApiKey.objects.get(owner=alice).pk), owner=alice)
    monkeypatch.setattr(keys, "_find", gone)
    assert alice_v1.chat("Hi").status == 503


def test_answer_is_used_once_the_server_is_well_again(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(status(500), answer("Well."))
    assert alice_v1.chat("Hi").status == 502
    assert alice_v1.chat("Hi").text == "Well."


def test_answer_is_stored_whatever_befalls_its_context(
    alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_turn: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(preparation.PreparedRequest, "store_block", fail)
    assert alice_v1.chat("Hi", stream=True).status == 200
    assert Message.objects.get(role="assistant").content
