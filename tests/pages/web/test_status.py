"""The page that says how the site stands."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from memsite.accounts.models import User
from memsite.jobs import heartbeat
from memsite.llm.chat.chat import Usage
from memsite.metering import breaker, usage
from memsite.values import new_id
from tests.llm_server import LLMServer


def read(browser: Client) -> str:
    response = browser.get("/status/")
    assert response.status_code == 200
    return response.content.decode()


def fail_often(model: str) -> None:
    for _ in range(5):
        breaker.record_failure(model, tried=False)


def test_the_unknown_are_sent_to_sign_in(client: Client, db: None) -> None:
    assert "/login/" in client.get("/status/")["Location"]


def test_it_says_that_no_worker_has_run(alice_browser: Client) -> None:
    assert "has not run yet" in read(alice_browser)


def test_it_says_that_a_worker_works(alice_browser: Client) -> None:
    heartbeat.record_heartbeat(new_id())
    assert "has not run yet" not in read(alice_browser)


def test_it_says_that_there_is_no_model(alice_browser: Client) -> None:
    assert ">none<" in read(alice_browser)


def test_it_names_the_models(alice_browser: Client, models_configured: LLMServer) -> None:
    page = read(alice_browser)
    assert "fast-model" in page
    assert "primary-model" in page
    assert models_configured.requests == []


def test_it_says_that_a_model_is_left_alone(alice_browser: Client, models_configured: LLMServer) -> None:
    fail_often("fast-model")
    assert "left alone for a while" in read(alice_browser)


def test_each_sees_their_own_use(
    alice: User, alice_browser: Client, bob_browser: Client, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_DAILY_TOKENS = 5000
    usage.add_usage(Usage(1200, 34), model="fast-model", failed=False, owner=alice.id)
    assert "1234 / 5000" in read(alice_browser)
    assert "0 / 5000" in read(bob_browser)


@pytest.mark.parametrize(("failures", "state"), [(0, "closed"), (5, "open")])
def test_readyz_tells_the_breaker_and_stays_ready(
    client: Client, db: None, models_configured: LLMServer, failures: int, state: str
) -> None:
    heartbeat.record_heartbeat(new_id())
    for _ in range(failures):
        breaker.record_failure("fast-model", tried=False)
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json()["breaker"] == {"fast": state, "primary": "closed"}


def test_readyz_says_where_no_model_is(client: Client, db: None) -> None:
    assert client.get("/readyz").json()["breaker"] == {"fast": "unconfigured", "primary": "unconfigured"}


def test_readyz_says_that_the_breaker_is_off(
    client: Client, db: None, models_configured: LLMServer, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_BREAKER = False
    assert client.get("/readyz").json()["breaker"]["fast"] == "off"
