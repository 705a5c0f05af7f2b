"""Helpers for tests of the API: one call, the answer as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient


def add(client: APIClient, content: str, **fields: Any) -> dict[str, Any]:
    """Add a memory; return the whole answer."""
    response = client.post("/api/memories", {"content": content, **fields})
    assert response.status_code in {200, 201}, response.json()
    return dict(response.json())


def search(client: APIClient, query: str, **fields: Any) -> list[str]:
    """Return the contents that a search finds, best first; without a threshold unless given."""
    response = client.post("/api/memories/search", {"query": query, "min_similarity": 0, **fields})
    assert response.status_code == 200, response.json()
    return [memory["content"] for memory in response.json()["memories"]]
