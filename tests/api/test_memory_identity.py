"""Edits that change which memory it is: identity, slot and graph follow, and undoing brings all back."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memories.models import Memory, Mention
from tests.api.asking import add, search

WORKS = {"kind": "relation", "subject": "Alice", "predicate": "works at", "object": "Acme"}


def _patch(client: APIClient, memory: dict[str, Any], **changes: Any) -> Any:
    return client.patch(f"/api/memories/{memory['id']}", changes)


def _names(memory: dict[str, Any]) -> set[str]:
    mentions = Mention.objects.filter(memory_id=memory["id"]).select_related("entity")
    return {mention.entity.name for mention in mentions}


def test_object_changes_in_place_with_its_graph(alice_api: APIClient) -> None:
    memory = add(alice_api, "Works there.", **WORKS)["memory"]
    changed = _patch(alice_api, memory, object="Globex").json()["memory"]
    assert changed["object"] == "Globex"
    assert "Globex" in _names(memory)
    assert "Acme" not in _names(memory)


def test_changed_relation_is_identified_by_its_new_parts(alice_api: APIClient) -> None:
    memory = add(alice_api, "Works there.", **WORKS)["memory"]
    _patch(alice_api, memory, object="Globex")
    again = add(alice_api, "Works for them.", **{**WORKS, "object": "Globex"})
    assert (again["action"], again["memory"]["id"]) == ("strengthened", memory["id"])


def test_edit_into_another_memory_s_identity_is_a_conflict(alice_api: APIClient) -> None:
    add(alice_api, "Works there.", **WORKS)
    other = add(alice_api, "Plays there.", **{**WORKS, "predicate": "plays at"})["memory"]
    assert _patch(alice_api, other, predicate="works at").status_code == 409


def test_undo_brings_identity_and_graph_back(alice_api: APIClient) -> None:
    memory = add(alice_api, "Works there.", **WORKS)["memory"]
    before = Memory.objects.get(pk=memory["id"])
    batch = _patch(alice_api, memory, object="Globex", participants=["Bob"]).json()["batch_id"]
    assert alice_api.post("/api/memories/undo", {"batch_id": batch}).status_code == 200
    after = Memory.objects.get(pk=memory["id"])
    assert (bytes(after.fingerprint), after.slot) == (bytes(before.fingerprint), before.slot)
    assert bytes(after.entity_terms) == bytes(before.entity_terms)
    assert "Acme" in _names(memory)


def test_participants_become_known_to_the_graph(alice_api: APIClient) -> None:
    memory = add(alice_api, "They met for lunch.", participants=["Bob"])["memory"]
    _patch(alice_api, memory, participants=["Carol"])
    assert _names(memory) == {"Carol"}


def test_episode_that_changes_session_comes_last_there(alice_api: APIClient) -> None:
    add(alice_api, "One.", layer="episodic", session="other")
    memory = add(alice_api, "Two.", layer="episodic", session="first")["memory"]
    assert _patch(alice_api, memory, session="other").json()["memory"]["turn"] == 2


def test_time_of_an_episode_changes_its_identity_and_validity(alice_api: APIClient) -> None:
    said = {"layer": "episodic", "session": "s"}
    memory = add(alice_api, "Hello.", occurred_at="2026-01-01T00:00:00Z", **said)["memory"]
    changed = _patch(alice_api, memory, occurred_at="2026-01-02T00:00:00Z").json()["memory"]
    assert changed["valid_from"] == changed["occurred_at"] == "2026-01-02T00:00:00Z"
    assert add(alice_api, "Hello.", occurred_at="2026-01-01T00:00:00Z", **said)["action"] == "created"


def test_edited_object_ends_what_it_contradicts(alice_api: APIClient) -> None:
    where = {"subject": "user", "predicate": "lives in"}
    berlin = add(alice_api, "The user lives in Berlin.", object="Berlin", **where)["memory"]
    note = add(
        alice_api, "The user has a flat in Paris.", object="Paris", subject="user", predicate="rents in"
    )
    _patch(alice_api, note["memory"], predicate="lives in")
    assert alice_api.get(f"/api/memories/{berlin['id']}").json()["status"] == "deprecated"
    assert search(alice_api, "Where does the user live?", top_k=1) == ["The user has a flat in Paris."]


@pytest.mark.parametrize("field", ["subject", "predicate", "object"])
def test_relation_keeps_its_three_parts(alice_api: APIClient, field: str) -> None:
    memory = add(alice_api, "Works there.", **WORKS)["memory"]
    assert _patch(alice_api, memory, **{field: ""}).status_code == 400
