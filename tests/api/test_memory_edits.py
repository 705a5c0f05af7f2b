"""What an edit keeps, what it means for the two clocks, and that it can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from memories import curation
from memories.models import Memory, Mention, Relation
from memories.writing import drafting
from memsite.accounts.models import User
from memsite.errors import Conflict
from tests.api.asking import add, search

BERLIN = "Alice lives in Berlin."
LAST_YEAR = "2025-01-01T00:00:00Z"


def _patch(client: APIClient, memory: dict[str, Any], **changes: Any) -> dict[str, Any]:
    response = client.patch(f"/api/memories/{memory['id']}", changes)
    assert response.status_code == 200, response.json()
    return dict(response.json())


def _undo(client: APIClient, batch_id: str) -> int:
    return int(client.post("/api/memories/undo", {"batch_id": batch_id}).status_code)


def test_end_set_in_the_past_ends_the_memory(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    ended = _patch(alice_api, memory, valid_until=LAST_YEAR)["memory"]
    assert ended["status"] == "deprecated"
    assert ended["ended_at"] == ended["updated_at"]
    assert search(alice_api, "Where does Alice live?") == []


def test_end_learnt_later_leaves_what_was_believed_before(alice_api: APIClient) -> None:
    with time_machine.travel("2026-03-01T00:00:00Z"):
        memory = add(alice_api, BERLIN)["memory"]
    _patch(alice_api, memory, valid_until=LAST_YEAR)
    assert search(alice_api, "Where does Alice live?", believed_at="2026-03-02T00:00:00Z") == [BERLIN]


def test_end_taken_away_makes_the_memory_stand_again(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN, valid_until=LAST_YEAR)["memory"]
    assert memory["status"] == "deprecated"
    assert _patch(alice_api, memory, valid_until=None)["memory"]["status"] == "active"
    assert search(alice_api, "Where does Alice live?") == [BERLIN]


def test_end_taken_away_while_another_says_the_same_is_a_conflict(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN, valid_until=LAST_YEAR)["memory"]
    add(alice_api, BERLIN)
    response = alice_api.patch(f"/api/memories/{memory['id']}", {"valid_until": None})
    assert response.status_code == 409


def test_new_words_keep_the_end(alice_api: APIClient) -> None:
    memory = add(alice_api, BERLIN, valid_until="2999-01-01T00:00:00Z")["memory"]
    changed = _patch(alice_api, memory, content="Alice lives in Berlin, Mitte.")["memory"]
    assert changed["valid_until"] == "2999-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("words", "object_"), [("Alice works for Acme now.", "Acme"), ("Alice works at Globex.", "")]
)
def test_new_words_keep_the_triple_they_still_name(alice_api: APIClient, words: str, object_: str) -> None:
    triple = {"kind": "relation", "subject": "Alice", "predicate": "works at", "object": "Acme"}
    memory = add(alice_api, "Alice works at Acme.", **triple)["memory"]
    changed = _patch(alice_api, memory, content=words)["memory"]
    assert (changed["subject"], changed["object"]) == ("Alice", object_)
    told = Relation.objects.filter(memory_id=changed["id"], object__name="Acme")
    assert told.exists() is bool(object_)
    assert Mention.objects.filter(memory_id=changed["id"]).exists()


def test_edit_of_nothing_but_case_can_be_undone(alice_api: APIClient) -> None:
    memory = add(alice_api, "alice lives in berlin.")["memory"]
    edited = _patch(alice_api, memory, content=BERLIN)
    assert _undo(alice_api, edited["batch_id"]) == 200
    assert search(alice_api, "Where does Alice live?") == ["alice lives in berlin."]


def test_undo_brings_a_time_back_to_the_microsecond(alice_api: APIClient) -> None:
    since = "2020-01-01T00:00:00.123456Z"
    memory = add(alice_api, BERLIN, valid_from=since)["memory"]
    edited = _patch(alice_api, memory, valid_from=None)
    assert _undo(alice_api, edited["batch_id"]) == 200
    assert alice_api.get(f"/api/memories/{memory['id']}").json()["valid_from"] == since


def test_new_words_do_not_overwrite_a_change_made_meanwhile(
    alice: User, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = add(alice_api, BERLIN)["memory"]
    monkeypatch.setattr(drafting, "embed_drafts", lambda _: _patch(alice_api, memory, tags=["home"]))
    with pytest.raises(Conflict):
        curation.rewrite_memory(memory["id"], "Alice lives in Paris.", owner=alice.pk, actor="test")
    assert Memory.objects.get(owner=alice).tags == ["home"]


@pytest.mark.parametrize("query", ["importance=0.25", "single_valued=true", f"valid_from={LAST_YEAR}"])
def test_list_is_filtered_by_any_plain_field(alice_api: APIClient, query: str) -> None:
    add(alice_api, BERLIN, importance=0.25, single_valued=True, valid_from=LAST_YEAR)
    add(alice_api, "Alice keeps bees.")
    found = alice_api.get(f"/api/memories?{query}").json()["results"]
    assert [memory["content"] for memory in found] == [BERLIN]
