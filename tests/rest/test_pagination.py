from __future__ import annotations

import base64
import json
import uuid
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient


@pytest.fixture
def ten(alice_api: APIClient) -> list[str]:
    batch = {"memories": [{"content": f"Fact number {number}."} for number in range(10)]}
    return [
        one["memory"]["content"] for one in alice_api.post("/api/memories/batch", batch).json()["results"]
    ]


def _joined(pages: list[list[str]]) -> list[str]:
    return [content for page in pages for content in page]


def _walk(client: APIClient, url: str | None, direction: str = "next") -> list[list[str]]:
    pages: list[list[str]] = []
    while url:
        page: dict[str, Any] = client.get(url).json()
        pages.append([memory["content"] for memory in page["results"]])
        url = page[direction]
    return pages


@pytest.mark.parametrize(
    "sort", ["created_at", "access_count", "importance", "last_accessed_at", "updated_at"]
)
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_hold_every_row_once_whatever_the_sort(
    alice_api: APIClient, ten: list[str], sort: str, order: str
) -> None:
    pages = _walk(alice_api, f"/api/memories?page_size=3&sort={sort}&order={order}")
    assert [len(page) for page in pages] == [3, 3, 3, 1]
    assert sorted(_joined(pages)) == sorted(ten)


def test_way_back_shows_the_same_pages(alice_api: APIClient, ten: list[str]) -> None:
    there = _walk(alice_api, "/api/memories?page_size=4")
    second = alice_api.get("/api/memories?page_size=4").json()["next"]
    back = alice_api.get(alice_api.get(second).json()["previous"]).json()
    assert [memory["content"] for memory in back["results"]] == there[0]
    assert back["previous"] is None


def test_row_added_meanwhile_shifts_nothing(alice_api: APIClient, ten: list[str]) -> None:
    first = alice_api.get("/api/memories?page_size=5").json()
    alice_api.post("/api/memories", {"content": "Newer than all."})
    rest = _walk(alice_api, first["next"])
    seen = [memory["content"] for memory in first["results"]] + _joined(rest)
    assert sorted(seen) == sorted(ten)


def test_filter_stays_on_the_following_pages(alice_api: APIClient, ten: list[str]) -> None:
    alice_api.post("/api/memories", {"content": "An episode.", "layer": "episodic"})
    pages = _walk(alice_api, "/api/memories?page_size=4&layer=semantic")
    assert "An episode." not in _joined(pages)


def test_page_is_one_query_for_its_rows(
    alice_api: APIClient, ten: list[str], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alice_api.get("/api/memories")
    with django_assert_num_queries(3):  # the key, lines that were left, the page
        alice_api.get("/api/memories")


@pytest.mark.parametrize("value", ["soon", "9999-99-99", "\x00", 1e400, [], None])
@pytest.mark.parametrize("sort", ["created_at", "access_count"])
def test_cursor_that_was_tampered_with_is_refused(alice_api: APIClient, sort: str, value: Any) -> None:
    raw = json.dumps([0, value, str(uuid.uuid4())]).encode()
    cursor = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    assert alice_api.get(f"/api/memories?sort={sort}&cursor={cursor}").status_code == 400
