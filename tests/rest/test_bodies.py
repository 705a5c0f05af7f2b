"""How much a request may bring, and that all it brings is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.handlers.wsgi import LimitedStream
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings
from rest_framework.test import APIClient

from memories.api.views import MemoriesView
from memories.models import Memory
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.errors import TooLarge
from memsite.rest import parsing

URL = "/api/memories"
_FEW = 12
_TEXTS = st.text(st.sampled_from('a,[]{}"\\\n')) | st.none()
_VALUES = st.recursive(
    _TEXTS, lambda inner: st.lists(inner) | st.dictionaries(_TEXTS.map(str), inner), max_leaves=24
)


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


def test_json_of_too_many_values_is_refused(alice_api: APIClient) -> None:
    many = b"[" + b"[]," * parsing.MOST_VALUES + b"[]]"
    response = alice_api.post(URL, many, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


@given(value=_VALUES)
def test_values_are_counted_as_they_are(value: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsing, "MOST_VALUES", _FEW)
        assert _is_too_large(json.dumps(value, separators=(",", ":")).encode()) == (_count(value) > _FEW)


def test_signs_within_texts_are_no_values() -> None:
    parsing.check_value_count(json.dumps(['",[{' * parsing.MOST_VALUES]).encode())


def _is_too_large(content: bytes) -> bool:
    try:
        parsing.check_value_count(content)
    except TooLarge:
        return True
    return False


def _count(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, inner))


def _sent_in_chunks(person: User, content: str) -> int:
    """The status of an answer to a request that says no length, as the server hands it on."""
    body = json.dumps({"content": content}).encode()
    _, key = issue_key(person, name="test")
    headers = {"Authorization": f"Bearer {key}", "Transfer-Encoding": "chunked"}
    request = RequestFactory().post(URL, body, content_type="application/json", headers=headers)
    request.META["CONTENT_LENGTH"] = ""
    request._stream = LimitedStream(request.META["wsgi.input"], len(body))  # type: ignore[assignment]  # noqa: SLF001 - as the server sets it
    return MemoriesView.as_view()(request).status_code
