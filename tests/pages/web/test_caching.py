"""What is personal stays in no cache."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from rest_framework.test import APIClient

from memsite.web.caching import NoStoreMiddleware


@pytest.mark.parametrize("path", ["/", "/memories/", "/threads/", "/settings/programs/", "/no/such/page"])
def test_page_is_not_stored(alice_browser: Client, path: str) -> None:
    header = alice_browser.get(path)["Cache-Control"]
    assert "private" in header
    assert "no-store" in header


@pytest.mark.parametrize("path", ["/api/memories", "/api/keys", "/api/memories/nonsense"])
def test_json_is_not_stored(alice_api: APIClient, path: str) -> None:
    header = alice_api.get(path)["Cache-Control"]
    assert "private" in header
    assert "no-store" in header


def test_answer_that_is_public_by_itself_stays_so() -> None:
    middleware = NoStoreMiddleware(lambda _: HttpResponse(headers={"Cache-Control": "public, max-age=60"}))
    assert middleware(HttpRequest())["Cache-Control"] == "public, max-age=60"
