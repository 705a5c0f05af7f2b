"""How much a request may bring, and that all it brings is read."""

from __future__ import annotations

import json

from django.core.handlers.wsgi import LimitedStream
from django.test import RequestFactory
from pytest_django import Settings
from rest_framework.test import APIClient

from memories.api.views import MemoriesView
from memories.models import Memory
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User

URL = "/api/memories"


def test_body_past_the_limit_is_refused_in_the_one_shape(alice_api: APIClient, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    response = alice_api.post(URL, {"content": "x" * 2000})
    assert response.status_code == 413
    assert response.json()["code"] == "too_large"


def test_body_of_unannounced_length_is_read(alice: User) -> None:
    assert _sent_in_chunks(alice, "Alice keeps bees.") == 201
    assert Memory.objects.get(owner=alice).content == "Alice keeps bees."


def test_body_of_unannounced_length_has_the_limit_too(alice: User, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert _sent_in_chunks(alice, "x" * 2000) == 413


def _sent_in_chunks(person: User, content: str) -> int:
    """The status of an answer to a request that says no length, as the server hands it on."""
    body = json.dumps({"content": content}).encode()
    _, key = issue_key(person, name="test")
    headers = {"Authorization": f"Bearer {key}", "Transfer-Encoding": "chunked"}
    request = RequestFactory().post(URL, body, content_type="application/json", headers=headers)
    request.META["CONTENT_LENGTH"] = ""
    request._stream = LimitedStream(request.META["wsgi.input"], len(body))  # type: ignore[assignment]  # noqa: SLF001 - as the server sets it
    return MemoriesView.as_view()(request).status_code
