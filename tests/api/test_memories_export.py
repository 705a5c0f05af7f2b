"""Memories taken away: everything, or what held at a moment."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from django.test import AsyncClient
from rest_framework.test import APIClient

from memories.api import exports
from memories.api.shapes.memories import MemoryOut
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.rest import downloads
from tests.api.asking import add


def taken(client: APIClient, query: str = "") -> dict[str, Any]:
    response = client.get(f"/api/memories/export?{query}")
    assert response.status_code == 200, response.content
    return dict(json.loads(cast("StreamingHttpResponse", response).getvalue()))


def contents(client: APIClient, query: str = "") -> list[str]:
    return [memory["content"] for memory in taken(client, query)["memories"]]


def test_export_has_every_field_and_says_that_it_is_complete(alice_api: APIClient) -> None:
    add(alice_api, "Alice sails.", metadata={"boat": "海"})
    file = taken(alice_api)
    assert (file["format"], file["version"], file["complete"]) == ("memsite.memories", 1, True)
    assert set(file["memories"][0]) == set(MemoryOut.model_fields)
    assert file["memories"][0]["metadata"] == {"boat": "海"}


def test_export_has_what_was_forgotten_and_nothing_of_others(
    alice_api: APIClient, bob_api: APIClient
) -> None:
    memory = add(alice_api, "Alice sails.")["memory"]["id"]
    alice_api.delete(f"/api/memories/{memory}")
    add(bob_api, "Bob skates.")
    assert contents(alice_api) == ["Alice sails."]


def test_export_of_a_moment_has_what_held_then(alice_api: APIClient) -> None:
    moves = {"Berlin": "2024-01-01T00:00:00Z", "Paris": "2025-06-01T00:00:00Z"}
    for city, begin in moves.items():
        triple = {"subject": "user", "predicate": "lives in", "object": city}
        add(alice_api, f"The user lives in {city}.", valid_from=begin, **triple)
    assert contents(alice_api, "as_of=2025-01-01T00:00:00Z") == ["The user lives in Berlin."]
    assert contents(alice_api, "as_of=2025-07-01T00:00:00Z") == ["The user lives in Paris."]
    assert contents(alice_api, "believed_at=2020-01-01T00:00:00Z") == []


def test_export_of_several_pages_has_each_memory_once(
    alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "_PAGE", 2)
    texts = [f"Entry number {number} of the diary." for number in range(5)]
    for text in texts:
        add(alice_api, text)
    assert contents(alice_api) == texts


def test_filters_narrow_an_export(alice_api: APIClient) -> None:
    add(alice_api, "Alice sails.", kind="fact")
    add(alice_api, "Alice prefers tea.", kind="preference")
    assert contents(alice_api, "kind=preference") == ["Alice prefers tea."]


def test_unknown_filter_is_refused(alice_api: APIClient) -> None:
    assert alice_api.get("/api/memories/export?page_size=3").status_code == 400


@pytest.mark.django_db(transaction=True)
def test_export_is_sent_in_pieces(alice: User, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "_TURN", 100)
    add(alice_api, "Alice sails.")
    _, key = issue_key(alice, name="test")

    async def pieces() -> list[bytes]:
        headers = {"Authorization": f"Bearer {key}"}
        response: Any = await AsyncClient().get("/api/memories/export", headers=headers)
        return [piece async for piece in response.streaming_content]

    assert len(async_to_sync(pieces)()) == 3
