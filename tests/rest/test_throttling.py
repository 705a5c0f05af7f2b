from __future__ import annotations

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from memsite.accounts.models import User
from tests.conftest import KeyClient


@pytest.fixture(autouse=True)
def three_a_minute(settings: Settings) -> None:
    settings.MEMSITE_RATE_LIMIT = (3, 60)


def test_request_past_the_limit_is_told_how_long_to_wait(alice_api: APIClient) -> None:
    with time_machine.travel("2026-03-01T12:00:15Z", tick=False):
        statuses = [alice_api.get("/api/memories").status_code for _ in range(4)]
        refused = alice_api.get("/api/memories")
    assert statuses == [200, 200, 200, 429]
    assert refused["Retry-After"] == "45"
    assert refused.json()["code"] == "too_many_requests"


def test_limit_is_each_keys_own(alice_api: APIClient, bob_api: APIClient) -> None:
    for _ in range(4):
        alice_api.get("/api/memories")
    assert bob_api.get("/api/memories").status_code == 200


def test_limit_is_lifted_in_the_next_window(alice_api: APIClient) -> None:
    with time_machine.travel("2026-03-01T12:00:59Z", tick=False):
        for _ in range(4):
            alice_api.get("/api/memories")
    with time_machine.travel("2026-03-01T12:01:00Z", tick=False):
        assert alice_api.get("/api/memories").status_code == 200


@pytest.mark.django_db
def test_guessing_at_keys_is_limited_too() -> None:
    client = Client(headers={"Authorization": "Bearer msk_000000000000_guess"})
    assert [client.get("/api/memories").status_code for _ in range(4)] == [401, 401, 401, 429]


def test_request_that_lacks_the_scope_is_counted(alice: User, client_of: KeyClient) -> None:
    reader = client_of(alice, scopes=["read"])
    statuses = [reader.post("/api/memories", {"content": "x"}).status_code for _ in range(4)]
    assert statuses == [403, 403, 403, 429]


def test_request_that_names_an_end_user_without_an_application_is_counted(alice_api: APIClient) -> None:
    asked = [alice_api.get("/api/memories", HTTP_MEMSITE_USER="dora").status_code for _ in range(4)]
    assert asked == [400, 400, 400, 429]
