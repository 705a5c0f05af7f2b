"""The answers of a search over HTTP: relevance, the parts of a ranking, numbers."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memories import conf
from memories.tasks import fill_in_sentences
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


@pytest.mark.parametrize("settings_name", ["tokens", "local"])
def test_parts_of_a_ranking_are_shares_also_of_an_only_memory(
    alice_api: APIClient, settings: Any, settings_name: str
) -> None:
    settings.MEMSITE_EMBEDDING = settings_name
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 10_000
    add(alice_api, RUN)
    fill_in_sentences()
    only = _search(alice_api, "Which marathon did I run in 2023?")[RUN]
    assert only["score_breakdown"]["similarity"] > 0.5
    assert only["score_breakdown"]["keyword"] > 0.5
    assert "close in meaning" in only["why"]
    for text in ("Anna's sister is Bruna.", "Bruna plays the cello.", "The boiler broke on 3 March 2023."):
        add(alice_api, text)
    for turn in ("How was the marathon, Tom?", "I was tired for days after the run.", "It rained all day."):
        add(alice_api, turn, layer="episodic", kind="conversation", speaker="Tom", session="one")
    fill_in_sentences()
    for query in (
        "What did Tom say about the marathon?",
        "What does Anna's sister play?",
        "What broke in 2023?",
    ):
        for memory in _search(alice_api, query).values():
            assert all(0 <= part <= 1 for part in memory["score_breakdown"].values())


def test_structure_is_what_the_conversation_adds(alice_api: APIClient) -> None:
    add(alice_api, RUN)
    add(alice_api, "The boiler broke.")
    for turn in ("How was the marathon in Berlin?", "I was tired for days.", "And now for the weather."):
        add(alice_api, turn, layer="episodic", kind="conversation", session="one")
    found = _search(alice_api, "How did the marathon in Berlin go?")
    assert found[RUN]["score_breakdown"]["structure"] == 0
    assert found["I was tired for days."]["score_breakdown"]["structure"] > 0


def test_numbers_are_answered_without_noise(alice_api: APIClient) -> None:
    lowered = add(alice_api, RUN, importance=0.8 * 0.8, confidence=0.7 + 0.2)["memory"]
    answers = [
        alice_api.get(f"/api/memories/{lowered['id']}").content,
        alice_api.post("/api/memories/search", {"query": "marathon"}).content,
        alice_api.get("/api/memories/export").getvalue(),
    ]
    assert (lowered["importance"], lowered["confidence"]) == (0.64, 0.9)
    assert all(b"0.64" in answer and b"0000000" not in answer for answer in answers)


def test_search_finds_only_what_has_the_metadata(alice_api: APIClient, bob_api: APIClient) -> None:
    for content, project in (("I edit in Helix.", "Aurora"), ("I edit in Vim at home.", "House")):
        body = {"content": content, "metadata": {"project": project, "nested": {"a": 1}}}
        assert alice_api.post("/api/memories", body).status_code == 201
    wanted = {"query": "Which editor?", "min_similarity": 0, "metadata": {"project": "Aurora"}}
    found = alice_api.post("/api/memories/search", wanted).json()["memories"]
    assert [one["content"] for one in found] == ["I edit in Helix."]
    assert bob_api.post("/api/memories/search", wanted).json()["memories"] == []


def test_list_has_only_what_has_the_metadata(alice_api: APIClient) -> None:
    for content, project in (("I edit in Helix.", "Aurora"), ("I edit in Vim at home.", "House")):
        alice_api.post("/api/memories", {"content": content, "metadata": {"project": project}})
    listed = alice_api.get("/api/memories", {"metadata": '{"project": "House"}'}).json()["results"]
    assert [one["content"] for one in listed] == ["I edit in Vim at home."]
    wrong = alice_api.get("/api/memories", {"metadata": "House"})
    assert wrong.status_code == 400
    assert "metadata: the JSON of an object" in wrong.json()["message"]


@pytest.mark.parametrize(
    ("order", "first"), [("newest", "Helix"), ("oldest", "Emacs"), ("importance", "Vim")]
)
def test_search_is_sorted_as_asked(alice_api: APIClient, order: str, first: str) -> None:
    for editor, importance in (("Emacs", 0.5), ("Vim", 0.9), ("Helix", 0.4)):
        alice_api.post("/api/memories", {"content": f"I edit my code in {editor}.", "importance": importance})
    body = {"query": "Which editor do I edit my code in?", "min_similarity": 0, "order_by": order}
    found = alice_api.post("/api/memories/search", body).json()["memories"]
    assert len(found) == 3
    assert first in found[0]["content"]
