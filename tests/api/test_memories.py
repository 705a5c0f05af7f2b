"""Memories over HTTP: add, search, change, forget, restore, erase, undo."""

from __future__ import annotations

from rest_framework.test import APIClient


def _add(client: APIClient, content: str, **fields: object) -> dict:  # type: ignore[type-arg]  # JSON
    response = client.post("/api/memories", {"content": content, **fields})
    assert response.status_code in {200, 201}, response.json()
    return response.json()  # type: ignore[no-any-return]


def test_added_memory_is_answered_with_every_field(alice_api: APIClient) -> None:
    added = _add(alice_api, "Alice prefers tabs over spaces.", kind="preference")
    assert added["action"] == "created"
    assert added["memory"]["importance"] == 0.9
    assert added["memory"]["status"] == "active"
    assert added["memory"] == alice_api.get(f"/api/memories/{added['memory']['id']}").json()


def test_added_memory_is_found_by_a_question(alice_api: APIClient) -> None:
    _add(alice_api, "The staging database listens on port 5433.")
    _add(alice_api, "Alice's dog is called Rex.")
    found = alice_api.post("/api/memories/search", {"query": "What is the name of the dog?", "min_similarity": 0})
    assert found.status_code == 200, found.json()
    assert found.json()["memories"][0]["content"] == "Alice's dog is called Rex."


def test_same_words_again_strengthen_what_stands(alice_api: APIClient) -> None:
    first = _add(alice_api, "Alice lives in Berlin.")
    second = _add(alice_api, "alice  lives in BERLIN")
    assert second["action"] == "strengthened"
    assert second["memory"]["id"] == first["memory"]["id"]
    assert second["memory"]["occurrence_count"] == 2


def test_another_owner_finds_nothing(alice_api: APIClient, bob_api: APIClient) -> None:
    _add(alice_api, "The staging database listens on port 5433.")
    found = bob_api.post("/api/memories/search", {"query": "staging port 5433", "min_similarity": 0}).json()
    assert found["memories"] == []
    assert found["cold_start"] is True
