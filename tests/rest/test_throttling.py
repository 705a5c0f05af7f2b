from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NoReturn

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from memsite.accounts.applications import create_application
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.rest.openapi import DescriptionView
from memsite.rest.throttling import name_address_caller
from tests.conftest import KeyClient


@pytest.fixture(autouse=True)
def three_a_minute(settings: Settings) -> Iterator[None]:
    """The clock stands still, or a slow machine's requests would fall into two windows."""
    settings.MEMSITE_RATE_LIMIT = (3, 60)
    with time_machine.travel(datetime.now(UTC), tick=False):
        yield


def test_request_past_the_limit_is_told_how_long_to_wait(alice_api: APIClient) -> None:
    with time_machine.travel("2026-03-01T12:00:15Z", tick=False):
        statuses = [alice_api.get("/api/memories").status_code for _ in range(4)]
        refused = alice_api.get("/api/memories")
    assert statuses == [200, 200, 200, 429]
    assert refused["Retry-After"] == "45"
    assert refused.json()["code"] == "too_many_requests"


def test_limit_is_each_persons_own(alice_api: APIClient, bob_api: APIClient) -> None:
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


def test_keys_of_one_person_share_their_limit(alice: User, client_of: KeyClient) -> None:
    statuses = [client_of(alice).get("/api/memories").status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_end_users_share_the_limit_of_their_applications_owner(alice: User) -> None:
    application = create_application(alice, "chat")
    _, key = issue_key(alice, name="chat", application=application)
    client = Client(headers={"Authorization": f"Bearer {key}"})
    asked = [client.get("/api/memories", headers={"Memsite-User": f"u{n}"}).status_code for n in range(4)]
    assert asked == [200, 200, 200, 429]


def test_pages_and_api_count_together(alice_browser: Client) -> None:
    paths = ["/memories/", "/api/memories", "/memories/", "/memories/"]
    assert [alice_browser.get(path).status_code for path in paths] == [200, 200, 200, 429]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/schema", "/api/docs", "/accounts/login/"])
def test_unknown_address_has_its_limit_on_pages_too(path: str) -> None:
    answers = [Client().get(path) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0


def test_health_is_not_counted() -> None:
    assert [Client().get("/healthz").status_code for _ in range(5)] == [200] * 5


@pytest.mark.parametrize(
    ("address", "caller"),
    [
        ("203.0.113.9", "address:203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "address:2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "address:203.0.113.9"),
        ("x" * 500, "address:unknown"),
    ],
)
def test_address_is_counted_by_what_one_client_has(address: str, caller: str) -> None:
    assert name_address_caller(address) == caller


@pytest.mark.django_db
def test_description_is_not_sent_again_to_who_has_it(settings: Settings) -> None:
    settings.MEMSITE_RATE_LIMIT = None
    first = Client().get("/api/schema", headers={"Accept": "application/json"})
    again = Client().get(
        "/api/schema", headers={"Accept": "application/json", "If-None-Match": first["ETag"]}
    )
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert first.json()["openapi"].startswith("3.1")


@pytest.mark.django_db
def test_description_is_made_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEMSITE_RATE_LIMIT = None
    first = Client().get("/api/schema").content

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(DescriptionView.generator_class, "get_schema", refuse)
    assert Client().get("/api/schema").content == first
