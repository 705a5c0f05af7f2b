"""The answers of a search over HTTP: relevance, the parts of a ranking, numbers."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memories import conf
from tests.api.asking import add

RUN = "I ran the Berlin marathon in 2023 with Tom."


def _search(client: APIClient, query: str) -> dict[str, dict[str, Any]]:
    answer = client.post("/api/memories/search", {"query": query, "min_similarity": 0}).json()
    return {memory["content"]: memory for memory in answer["memories"]}


@pytest.mark.parametrize("settings_name", ["tokens", "local"])
def test_year_of_the_query_counts_more_than_when_it_was_said(
    alice_api: APIClient, settings: Any, settings_name: str
) -> None:
    settings.MEMSITE_EMBEDDING = settings_name
    add(alice_api, RUN, occurred_at="2026-05-01T08:00:00Z")
    relevance = {
        year: _search(alice_api, f"Which marathon did I run in {year}?")[RUN]["relevance"]
        for year in (2022, 2023, 2026)
    }
    assert relevance[2023] > 0.9
    assert relevance[2022] <= conf.OTHER_YEAR_SHARE
    assert relevance[2026] <= conf.OTHER_YEAR_SHARE


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "conversation", "speaker": "user", "session": "one"},
        {"kind": "event"},
    ],
)
def test_episode_of_an_earlier_year_is_of_another_year(alice_api: APIClient, fields: dict[str, Any]) -> None:
    text = "I ran the Paris marathon."
    add(alice_api, text, layer="episodic", occurred_at="2019-04-14T08:00:00Z", **fields)
    assert _search(alice_api, "Which marathon did I run in 2019?")[text]["relevance"] > 0.9
    found = _search(alice_api, "Which marathon did I run in 2023?")[text]
    assert found["relevance"] <= conf.OTHER_YEAR_SHARE


@pytest.mark.parametrize(
    "fields", [{"occurred_at": "2019-04-14T08:00:00Z"}, {"valid_from": "2018-01-01T00:00:00Z"}]
)
def test_statement_is_of_every_year_since(alice_api: APIClient, fields: dict[str, Any]) -> None:
    text = "The user lives in Hamburg."
    add(alice_api, text, **fields)
    assert _search(alice_api, "Was Hamburg where I lived in 2023?")[text]["relevance"] > conf.OTHER_YEAR_SHARE
    assert (
        _search(alice_api, "Was Hamburg where I lived in 2015?")[text]["relevance"] <= conf.OTHER_YEAR_SHARE
    )
