"""Taking a batch back although something of it was touched since."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from memories import curation
from memories.models import Memory
from memsite.accounts.models import User


def _forgotten(api: APIClient, user: User) -> tuple[list[str], str]:
    """Three memories forgotten in one batch."""
    told = [{"content": content} for content in ("I keep bees.", "I sail.", "I bake bread.")]
    added = api.post("/api/memories/batch", {"memories": told}).data["results"]
    ids = [result["memory"]["id"] for result in added]
    rows = Memory.objects.filter(owner=user, id__in=ids).values_list("id", flat=True)
    return ids, str(curation.forget_memories(list(rows), owner=user.pk, actor="law").batch_id)


def _undo(api: APIClient, batch: str) -> Any:
    return api.post("/api/memories/undo", {"batch_id": batch})


def test_rest_of_a_batch_is_undone_after_one_was_restored(alice_api: APIClient, alice: User) -> None:
    ids, batch = _forgotten(alice_api, alice)
    alice_api.post(f"/api/memories/{ids[0]}/restore")
    answer = _undo(alice_api, batch)
    assert (answer.status_code, answer.data["left_out"]) == (200, [ids[0]])
    assert not Memory.objects.filter(owner=alice, status="forgotten").exists()


def test_rest_of_a_batch_is_undone_after_one_was_erased(alice_api: APIClient, alice: User) -> None:
    ids, batch = _forgotten(alice_api, alice)
    alice_api.delete(f"/api/memories/{ids[1]}?erase=true")
    assert _undo(alice_api, batch).data["left_out"] == [ids[1]]
    assert Memory.objects.filter(owner=alice, status="active").count() == 2


def test_nothing_left_to_undo_is_a_conflict(alice_api: APIClient, alice: User) -> None:
    ids, batch = _forgotten(alice_api, alice)
    alice_api.post(f"/api/memories/{ids[0]}/restore")
    assert _undo(alice_api, batch).status_code == 200
    assert _undo(alice_api, batch).status_code == 409


def test_rows_that_the_batch_joined_stay_together(alice_api: APIClient, alice: User) -> None:
    where = {"subject": "user", "predicate": "lives in"}
    alice_api.post("/api/memories", {"content": "I live in Berlin.", "object": "Berlin", **where})
    told = [{"content": "I live in Paris.", "object": "Paris", **where}, {"content": "I keep bees."}]
    batch = alice_api.post("/api/memories/batch", {"memories": told}).data
    paris = batch["results"][0]["memory"]["id"]
    alice_api.patch(f"/api/memories/{paris}", {"tags": ["home"]})
    assert len(_undo(alice_api, batch["batch_id"]).data["left_out"]) == 2
    statuses = dict(Memory.objects.filter(owner=alice).values_list("object", "status"))
    assert statuses == {"Berlin": "deprecated", "Paris": "active", "": "deprecated"}
