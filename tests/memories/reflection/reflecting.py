"""Helpers of the reflection tests: request it over HTTP and read the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework.test import APIClient

from memsite.jobs import run_due_jobs
from tests.api.asking import add


def remember_all(client: APIClient, contents: Sequence[str], **fields: Any) -> list[str]:
    """Add memories; return their ids."""
    return [str(add(client, content, **fields)["memory"]["id"]) for content in contents]


def reflect(client: APIClient, what: str, **fields: Any) -> dict[str, Any]:
    """Request one kind of reflection, run the jobs, and return the result."""
    response = client.post("/api/memories/reflect", {"what": what, **fields})
    assert response.status_code == 202, response.json()
    run = response.json()["run"]
    run_due_jobs()
    parts = client.get("/api/memories/reflect?page_size=200").json()["results"]
    [part] = [one for one in parts if one["run"] == run]
    return dict(part)


def written(part: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the memories that a part wrote."""
    return [one["memory"] for one in part["results"] if one["action"] in {"created", "pending"}]


def listed(client: APIClient, **filters: Any) -> list[dict[str, Any]]:
    """Return the memories that pass the filters."""
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    return list(client.get(f"/api/memories?page_size=200&{query}").json()["results"])
