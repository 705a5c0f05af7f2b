"""Memories over HTTP: add, find, change, forget, restore, erase, undo."""

from __future__ import annotations

import uuid
from typing import NoReturn

import pytest
from pytest_django import DjangoAssertNumQueries, Settings
from rest_framework.test import APIClient

from memories.api.shapes.memories import MemoryOut
from memories.models import Memory, MemoryEmbedding, MemorySource
from memories.storage import copying
from tests.api.asking import add, search

BERLIN = "Alice lives in Berlin."


def test_added_memory_is_answered_with_every_field(alice_api: APIClient) -> None:
    added = add(alice_api, "Alice prefers tabs over spaces.", kind="preference")
    assert added["action"] == "created"
    assert added["memory"]["importance"] == 0.9
    assert added["memory"] == alice_api.get(f"/api/memories/{added['memory']['id']}").json()
    assert set(added["memory"]) == set(MemoryOut.model_fields)


def test_answer_names_the_effective_owner(alice_api: APIClient) -> None:
    response = alice_api.get("/api/memories")
    assert response["Memsite-Owner"] == add(alice_api, BERLIN)["memory"]["owner"]


def test_added_memory_is_found_by_a_question(alice_api: APIClient) -> None:
    add(alice_api, "The staging database listens on port 5433.")
    add(alice_api, "Alice's dog is called Rex.")
    assert search(alice_api, "What is the name of the dog?")[0] == "Alice's dog is called Rex."


def test_same_words_again_strengthen_what_stands(alice_api: APIClient) -> None:
    first = add(alice_api, BERLIN)
    second = add(alice_api, "alice  lives in BERLIN")
    assert second["action"] == "strengthened"
    assert second["memory"]["id"] == first["memory"]["id"]
    assert second["memory"]["occurrence_count"] == 2
    assert second["memory"]["confidence"] > first["memory"]["confidence"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("He codes in C", "He codes in C++"),
        ("port 3.5", "port 35"),
        ("I like 🍕", "I like 🍣"),
        ("5 percent", "-5 percent"),
    ],
)
def test_words_that_differ_in_meaning_are_two(alice_api: APIClient, one: str, other: str) -> None:
    add(alice_api, one)
    assert add(alice_api, other)["action"] == "created"


def test_another_owner_finds_nothing(alice_api: APIClient, bob_api: APIClient) -> None:
    add(alice_api, "The staging database listens on port 5433.")
    found = bob_api.post("/api/memories/search", {"query": "staging port 5433", "min_similarity": 0}).json()
    assert found["memories"] == []
    assert found["cold_start"] is True


def test_same_words_of_two_owners_are_two_memories(alice_api: APIClient, bob_api: APIClient) -> None:
    add(alice_api, BERLIN)
    assert add(bob_api, BERLIN)["action"] == "created"


def test_edit_writes_a_successor_and_retires_the_old_wording(alice_api: APIClient) -> None:
    old = add(alice_api, BERLIN)["memory"]
    edited = alice_api.patch(f"/api/memories/{old['id']}", {"content": "Alice lives in Paris."}).json()
    assert edited["action"] == "superseded"
    assert edited["memory"]["supersedes"] == [old["id"]]
    assert search(alice_api, "Where does Alice live?") == ["Alice lives in Paris."]
    assert alice_api.get(f"/api/memories/{old['id']}").json()["status"] == "deprecated"


def test_superseded_wording_answers_for_when_it_was_believed(alice_api: APIClient) -> None:
    old = add(alice_api, BERLIN)["memory"]
    alice_api.patch(f"/api/memories/{old['id']}", {"content": "Alice lives in Paris."})
    assert search(alice_api, "Where does Alice live?", believed_at=old["created_at"]) == [BERLIN]


def test_other_fields_change_in_place(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN, tags=["home"], metadata={"a": 1})["memory"]
    url = f"/api/memories/{memory['id']}"
    changed = alice_api.patch(url, {"tags": ["city"], "metadata": {"b": 2}, "mode": "append"}).json()[
        "memory"
    ]
    assert changed["id"] == memory["id"]
    assert changed["tags"] == ["home", "city"]
    assert changed["metadata"] == {"a": 1, "b": 2}


def test_edit_that_says_what_another_memory_says_is_a_conflict(alice_api: APIClient) -> None:
    add(alice_api, BERLIN)
    other = add(alice_api, "Alice lives in Paris.")["memory"]
    response = alice_api.patch(f"/api/memories/{other['id']}", {"content": BERLIN})
    assert response.status_code == 409
    assert search(alice_api, "Paris", top_k=1) == ["Alice lives in Paris."]


def test_forgotten_memory_is_not_recalled_and_can_be_restored(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    assert alice_api.delete(f"/api/memories/{memory['id']}").json()["memory"]["status"] == "forgotten"
    assert search(alice_api, "Where does Alice live?") == []
    assert search(alice_api, "Where does Alice live?", status=["forgotten"]) == []
    alice_api.post(f"/api/memories/{memory['id']}/restore")
    assert search(alice_api, "Where does Alice live?") == [BERLIN]


def test_what_a_person_forgot_comes_back_only_to_be_asked_about(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    alice_api.delete(f"/api/memories/{memory['id']}")
    assert add(alice_api, BERLIN)["action"] == "pending"
    assert search(alice_api, "Where does Alice live?") == []


def test_pending_memory_is_confirmed_by_its_status(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    alice_api.delete(f"/api/memories/{memory['id']}")
    pending = add(alice_api, BERLIN)["memory"]
    alice_api.patch(f"/api/memories/{pending['id']}", {"status": "active"})
    assert search(alice_api, "Where does Alice live?") == [BERLIN]


def test_pending_memory_that_was_forgotten_is_pending_again(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    alice_api.delete(f"/api/memories/{memory['id']}")
    pending = add(alice_api, BERLIN)["memory"]
    alice_api.delete(f"/api/memories/{pending['id']}")
    restored = alice_api.post(f"/api/memories/{pending['id']}/restore").json()["memory"]
    assert restored["status"] == "pending"
    assert search(alice_api, "Where does Alice live?") == []


def test_restoring_what_stands_again_elsewhere_is_a_conflict(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    alice_api.delete(f"/api/memories/{memory['id']}")
    add(alice_api, BERLIN)
    assert alice_api.post(f"/api/memories/{memory['id']}/restore").status_code == 409


def test_erased_memory_is_gone_in_all_its_wordings(alice_api: APIClient) -> None:
    old = add(alice_api, BERLIN)["memory"]
    new = alice_api.patch(f"/api/memories/{old['id']}", {"content": "Alice lives in Paris."}).json()["memory"]
    receipt = alice_api.delete(f"/api/memories/{new['id']}?erase=true").json()
    assert receipt["erased"]["memories"] == 2
    assert receipt["not_reached"]
    assert not Memory.objects.filter(id__in=[old["id"], new["id"]]).exists()
    assert not MemoryEmbedding.objects.exists()
    assert not MemorySource.objects.exists()
    assert search(alice_api, "Where does Alice live?") == []


def test_undo_takes_a_batch_back(alice_api: APIClient) -> None:
    batch = {"memories": [{"content": BERLIN}, {"content": "Alice keeps bees."}]}
    batch_id = alice_api.post("/api/memories/batch", batch).json()["batch_id"]
    undone = alice_api.post("/api/memories/undo", {"batch_id": batch_id})
    assert undone.status_code == 200
    assert search(alice_api, "Alice") == []
    redone = alice_api.post("/api/memories/undo", {"batch_id": undone.json()["batch_id"]})
    assert redone.status_code == 200
    assert len(search(alice_api, "Alice")) == 2


def test_undo_of_an_edit_brings_the_old_wording_back(alice_api: APIClient) -> None:
    old = add(alice_api, BERLIN)["memory"]
    edit = alice_api.patch(f"/api/memories/{old['id']}", {"content": "Alice lives in Paris."}).json()
    alice_api.post("/api/memories/undo", {"batch_id": edit["batch_id"]})
    assert search(alice_api, "Where does Alice live?") == [BERLIN]


def test_undo_is_refused_when_a_later_change_touched_the_rows(alice_api: APIClient) -> None:
    added = add(alice_api, BERLIN)
    alice_api.patch(f"/api/memories/{added['memory']['id']}", {"pinned": True})
    assert alice_api.post("/api/memories/undo", {"batch_id": added["batch_id"]}).status_code == 409


def test_history_tells_every_wording_oldest_first(alice_api: APIClient) -> None:
    old = add(alice_api, BERLIN)["memory"]
    new = alice_api.patch(f"/api/memories/{old['id']}", {"content": "Alice lives in Paris."}).json()["memory"]
    entries = alice_api.get(f"/api/memories/{new['id']}/history").json()["results"]
    assert [entry["content"] for entry in entries] == [BERLIN, BERLIN, "Alice lives in Paris."]
    assert [entry["event"] for entry in entries] == ["memory.created", "memory.updated", "memory.created"]


def test_unknown_batch_cannot_be_undone(alice_api: APIClient) -> None:
    assert alice_api.post("/api/memories/undo", {"batch_id": str(uuid.uuid4())}).status_code == 404


def test_memory_that_ended_before_it_came_is_stored_as_ended(alice_api: APIClient) -> None:
    ended = add(alice_api, BERLIN, valid_from="2019-01-01T00:00:00Z", valid_until="2020-01-01T00:00:00Z")[
        "memory"
    ]
    assert ended["status"] == "deprecated"
    assert search(alice_api, "Where does Alice live?") == []
    assert search(alice_api, "Where does Alice live?", as_of="2019-06-01T00:00:00Z") == [BERLIN]


def test_stats_count_by_layer_and_status(alice_api: APIClient) -> None:
    add(alice_api, BERLIN)
    add(alice_api, "We talked about bees.", layer="episodic")
    stats = alice_api.get("/api/memories/stats").json()
    assert stats["by_layer"] == {"episodic": 1, "semantic": 1}
    assert stats["by_status"] == {"active": 2}
    assert stats["not_embedded"] == 0


def test_period_that_ended_is_a_row_beside_the_same_words_that_stand(alice_api: APIClient) -> None:
    add(alice_api, BERLIN)
    period = {"valid_from": "2010-01-01T00:00:00Z", "valid_until": "2012-01-01T00:00:00Z"}
    assert add(alice_api, BERLIN, **period)["action"] == "created"
    assert add(alice_api, BERLIN, **period)["action"] == "strengthened"
    assert alice_api.get("/api/memories?status=deprecated").json()["results"][0]["occurrence_count"] == 2


@pytest.mark.parametrize("query", ["3000年前", "2027 years ago", "999999999 weeks ago"])
def test_time_before_the_calendar_is_searched_as_words(alice_api: APIClient, query: str) -> None:
    add(alice_api, BERLIN)
    assert search(alice_api, query) == [BERLIN]


def test_forgotten_memory_cannot_be_confirmed(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    alice_api.delete(f"/api/memories/{memory['id']}")
    assert alice_api.patch(f"/api/memories/{memory['id']}", {"status": "active"}).status_code == 409
    both = {"status": "active", "tags": ["x"]}
    assert alice_api.patch(f"/api/memories/{memory['id']}", both).status_code == 409


def test_batch_with_too_much_text_is_refused_and_names_the_limit(
    alice_api: APIClient, settings: Settings
) -> None:
    settings.MEMSITE_BATCH_CHARACTERS = 1000
    batch = {"memories": [{"content": BERLIN, "metadata": {"note": "x" * 500}} for _ in range(2)]}
    response = alice_api.post("/api/memories/batch", batch)
    assert response.status_code == 413
    assert response.json()["detail"]["limit"] == 1000
    assert "MEMSITE_BATCH_CHARACTERS" in response.json()["message"]
    assert alice_api.get("/api/memories").json()["results"] == []


def test_batch_with_as_much_text_as_allowed_is_added(alice_api: APIClient, settings: Settings) -> None:
    body = {"memories": [{"content": BERLIN}] * 2}
    settings.MEMSITE_BATCH_CHARACTERS = 2 * (len("content") + len(BERLIN))
    assert alice_api.post("/api/memories/batch", body).status_code == 200


def test_one_memory_is_added_in_few_statements_and_without_copy(
    alice_api: APIClient,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError

    alice_api.post("/api/memories", {"content": "Alice plays the cello."})
    monkeypatch.setattr(copying, "_copy", refuse)
    with django_assert_max_num_queries(11):  # beside the key and the savepoint of the test, eight
        added = alice_api.post("/api/memories", {"content": BERLIN})
    assert added.status_code == 201


def test_active_memory_is_said_to_be_true_now_by_its_status_alone(alice_api: APIClient) -> None:
    memory = alice_api.post("/api/memories", {"content": "Plays the cello."}).json()["memory"]
    address = f"/api/memories/{memory['id']}"
    changed = alice_api.patch(address, {"status": "active", "tags": ["music"]}).json()["memory"]
    assert (changed["tags"], changed["restated_at"]) == (["music"], None)
    assert alice_api.patch(address, {"status": "active"}).json()["memory"]["restated_at"] is not None
