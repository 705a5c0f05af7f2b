"""Which web pages of other origins may call the API."""

from __future__ import annotations

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django import Settings

CHAT = "https://chat.example.org"


@pytest.fixture(autouse=True)
def chat_is_named(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [CHAT]


def preflight(origin: str, path: str = "/api/memories") -> HttpResponseBase:
    return Client().options(
        path,
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,memsite-user",
        },
    )


def test_page_of_a_named_origin_may_call_with_a_key() -> None:
    answer = preflight(CHAT)
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == CHAT
    assert {"authorization", "memsite-user"} <= set(answer["Access-Control-Allow-Headers"].split(", "))


def test_session_may_not_be_used_from_another_origin() -> None:
    assert "Access-Control-Allow-Credentials" not in preflight(CHAT)


@pytest.mark.django_db
def test_page_of_another_origin_may_not_call() -> None:
    assert "Access-Control-Allow-Origin" not in preflight("https://evil.example.org")


@pytest.mark.django_db
def test_pages_are_not_for_other_origins() -> None:
    assert "Access-Control-Allow-Origin" not in preflight(CHAT, "/memories/")


@pytest.mark.django_db
def test_refused_call_can_be_read_by_its_page() -> None:
    answer = Client().get("/api/memories", headers={"Origin": CHAT})
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (401, CHAT)
