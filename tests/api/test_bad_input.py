"""Bad input gets a clear error and loses nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from memories.models import Memory
from memsite.accounts.models import User
from tests.api.asking import add

URL = "/api/memories"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": "   "}, "content"),
        ({"content": 7}, "content"),
        ({"content": "x" * 20_001}, "content"),
        ({"content": "x", "colour": "red"}, "colour"),
        ({"content": "x", "layer": "dream"}, "layer"),
        ({"content": "x", "kind": "habit"}, "kind"),
        ({"content": "x", "importance": 1.5}, "importance"),
        ({"content": "x", "tags": "home"}, "tags"),
        ({"content": "x", "occurred_at": "yesterday"}, "occurred_at"),
        (
            {"content": "x", "valid_from": "2021-01-01T00:00:00Z", "valid_until": "2020-01-01T00:00:00Z"},
            "valid_until",
        ),
        ({"content": "x", "valid_until": 0.5}, "valid_until"),
        ({"content": "x", "valid_until": "0.5"}, "valid_until"),
        ({"content": "x", "single_valued": 1}, "single_valued"),
        ({"content": "x", "single_valued": "yes"}, "single_valued"),
        ({"content": "x", "importance": "0.5"}, "importance"),
        ({"content": "x", "importance": True}, "importance"),
        ({"content": "x", "metadata": []}, "metadata"),
        ({"content": "x", "metadata": {"a": "b" * 70_000}}, "metadata"),
    ],
)
def test_wrong_field_is_named(alice_api: APIClient, body: dict[str, Any], field: str) -> None:
    response = alice_api.post(URL, body)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert field in response.json()["message"]
    assert not Memory.objects.exists()


@pytest.mark.parametrize(
    "raw",
    [
        b'{"content": "a\\u0000b"}',
        b'{"content": "a\\ud800b"}',
        b'{"content": "\xff\xfe"}',
        b'{"content": NaN}',
        b'{"content": "x", "metadata": {"a": 1e999}}',
        b'{"content": "x", "occurred_at": "0001-01-01T00:00:00+14:00"}',
        b'{"content": "x", "importance": 1e400}',
        b'{"content": "unfinished',
        b'["content"]',
        b'"content"',
        b"",
        b'{"metadata": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        '{"content": "é"}'.encode("utf-16"),
    ],
)
def test_body_that_cannot_be_stored_is_refused(alice_api: APIClient, raw: bytes) -> None:
    response = alice_api.generic("POST", URL, raw, content_type="application/json")  # type: ignore[arg-type]  # bytes are what goes over the wire
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"


def test_body_that_is_no_json_by_its_own_word_is_refused(alice_api: APIClient) -> None:
    assert alice_api.generic("POST", URL, "content=x", content_type="text/plain").status_code == 415


def test_unknown_parameter_is_an_error(alice_api: APIClient) -> None:
    response = alice_api.get(f"{URL}?colour=red")
    assert response.status_code == 400
    assert response.json()["detail"] == {"colour": "unknown field"}


@pytest.mark.parametrize(
    "query", ["sort=colour", "page_size=0", "page_size=201", "cursor=x", "status=odd", "as_of=soon"]
)
def test_list_refuses_what_it_does_not_know(alice_api: APIClient, query: str) -> None:
    assert alice_api.get(f"{URL}?{query}").status_code == 400


def test_batch_over_a_thousand_is_refused_whole(alice_api: APIClient) -> None:
    batch = {"memories": [{"content": f"fact {number}"} for number in range(1001)]}
    assert alice_api.post(f"{URL}/batch", batch).status_code == 400
    assert not Memory.objects.exists()


def test_one_invalid_item_fails_the_whole_batch(alice_api: APIClient) -> None:
    batch = {"memories": [{"content": "one"}, {"content": ""}]}
    response = alice_api.post(f"{URL}/batch", batch)
    assert response.status_code == 400
    assert "memories.1.content" in response.json()["detail"]
    assert not Memory.objects.exists()


def test_refused_item_does_not_fail_the_rest_of_a_batch(alice_api: APIClient) -> None:
    secret = "AKIA" + "Q3EGRMZ7HXN5TPLW"
    batch = {"memories": [{"content": "Alice keeps bees."}, {"content": secret}]}
    results = alice_api.post(f"{URL}/batch", batch).json()["results"]
    assert [result["action"] for result in results] == ["created", "refused"]
    assert results[1]["memory"] is None
    assert results[1]["reason"]


def test_memory_that_is_only_a_secret_is_refused(alice_api: APIClient) -> None:
    response = alice_api.post(URL, {"content": "AKIA" + "Q3EGRMZ7HXN5TPLW"})
    assert response.status_code == 422
    assert response.json()["code"] == "refused_by_gate"


def test_unsure_fact_is_not_written(alice_api: APIClient) -> None:
    assert alice_api.post(URL, {"content": "Alice may like tea.", "confidence": 0.5}).status_code == 422


def test_field_that_cannot_be_edited_is_named(alice_api: APIClient) -> None:
    memory = add(alice_api, "Alice keeps bees.")["memory"]
    response = alice_api.patch(f"{URL}/{memory['id']}", {"layer": "episodic"})
    assert response.status_code == 400
    assert "layer" in response.json()["detail"]


def test_method_that_is_not_there_is_said_in_the_one_shape(alice_api: APIClient) -> None:
    response = alice_api.put(URL, {})
    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"


CARDS = "4111 1111 1111 1111, 5500 0000 0000 0004, 4111 1111 1111 1111"


@pytest.mark.parametrize("field", ["category", "predicate"])
def test_placeholder_longer_than_the_secret_still_fits(alice_api: APIClient, field: str) -> None:
    memory = add(alice_api, "Alice pays by card.", **{field: CARDS})["memory"]
    assert memory[field].startswith("[redacted:")


def test_placeholder_longer_than_the_secret_still_fits_an_edit(alice_api: APIClient) -> None:
    memory = add(alice_api, "Alice pays by card.")["memory"]
    changed = alice_api.patch(f"{URL}/{memory['id']}", {"category": CARDS, "tags": [CARDS]}).json()["memory"]
    assert changed["category"] == changed["tags"][0]
    assert "4111" not in changed["category"]


@pytest.mark.parametrize(
    ("url", "status"),
    [("/api/nothing", 404), (f"{URL}/", 404), ("/api/", 404), (f"{URL}?{'kind=x&' * 1200}", 400)],
)
def test_address_beyond_every_view_is_answered_in_the_one_shape(
    alice_api: APIClient, url: str, status: int
) -> None:
    response = alice_api.get(url)
    assert response.status_code == status
    assert set(response.json()) == {"code", "message", "detail"}


def test_session_without_its_form_token_may_not_write(alice: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    response = browser.post(URL, {"content": "Alice keeps bees."}, content_type="application/json")
    assert response.status_code == 403
    assert response.json()["code"] == "forbidden"
    assert not Memory.objects.exists()


def test_batch_is_measured_in_its_normal_form(alice_api: APIClient) -> None:
    memories = [{"content": "ﷺ" * 1_990 + str(number)} for number in range(49)]
    refused = alice_api.post(f"{URL}/batch", {"memories": memories})
    assert refused.status_code == 413
    assert "normal form" in refused.json()["message"]
    assert not Memory.objects.exists()


def test_content_that_grows_in_its_normal_form_is_refused(alice_api: APIClient) -> None:
    refused = alice_api.post(URL, {"content": "ﷺ" * 19_990})
    assert refused.status_code == 400
    assert "normal form" in refused.json()["message"]
