"""Garbage collection on request."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from memories.models import Event, Memory
from memsite.accounts.models import User
from tests.api.asking import add

TURN = {"layer": "episodic"}


def _aged(client: APIClient, content: str, days: float, **fields: Any) -> str:
    memory = add(client, content, **{**TURN, **fields})["memory"]
    Memory.objects.filter(pk=memory["id"]).update(created_at=timezone.now() - timedelta(days=days))
    return str(memory["id"])


def _use(memory_id: str, times: int = 1) -> None:
    Memory.objects.filter(pk=memory_id).update(access_count=times)


def _gc(client: APIClient, **wanted: Any) -> dict[str, Any]:
    response = client.post("/api/memories/gc", wanted)
    assert response.status_code == 200, response.json()
    return dict(response.json())


def test_old_or_unused_episodes_go_and_others_stay(alice_api: APIClient) -> None:
    old, unused, young, used = (
        _aged(alice_api, "An old one.", 91),
        _aged(alice_api, "An unused one.", 30),
        _aged(alice_api, "A young one.", 6.9),
        _aged(alice_api, "A used one.", 89),
    )
    _use(old)
    _use(used)
    assert set(_gc(alice_api)["memory_ids"]) == {old, unused}
    standing = set(map(str, Memory.objects.filter(status="active").values_list("id", flat=True)))
    assert standing == {young, used}


def test_dry_run_names_what_would_go_and_changes_nothing(alice_api: APIClient) -> None:
    memory = _aged(alice_api, "An old one.", 91)
    events = Event.objects.count()
    answer = _gc(alice_api, dry_run=True)
    assert (answer["count"], answer["memory_ids"], answer["batch_id"]) == (1, [memory], None)
    assert Event.objects.count() == events
    assert _gc(alice_api)["memory_ids"] == [memory]


@pytest.mark.parametrize("fields", [{"lifespan": "core"}, {"layer": "semantic"}], ids=str)
def test_core_and_other_layers_are_left_alone(alice_api: APIClient, fields: dict[str, Any]) -> None:
    _aged(alice_api, "Kept.", 400, **fields)
    assert _gc(alice_api)["count"] == 0


def test_pinned_one_is_left_alone(alice_api: APIClient) -> None:
    memory = _aged(alice_api, "Kept.", 400)
    alice_api.patch(f"/api/memories/{memory}", {"pinned": True})
    assert _gc(alice_api, max_age_days=0, min_access_count=9)["count"] == 0


def test_other_layers_come_with_a_warning(alice_api: APIClient) -> None:
    memory = _aged(alice_api, "A fact.", 400, layer="semantic")
    answer = _gc(alice_api, layers=["episodic", "semantic"])
    assert answer["memory_ids"] == [memory]
    assert len(answer["warnings"]) == 1
    assert "semantic" in answer["warnings"][0]


def test_collection_is_undone_in_one_step(alice_api: APIClient) -> None:
    memories = {_aged(alice_api, f"Turn {n}.", 91) for n in range(3)}
    batch = _gc(alice_api)["batch_id"]
    assert alice_api.post("/api/memories/undo", {"batch_id": batch}).status_code == 200
    assert {
        str(one) for one in Memory.objects.filter(status="active").values_list("id", flat=True)
    } == memories


def test_second_collection_finds_nothing(alice_api: APIClient) -> None:
    _aged(alice_api, "An old one.", 91)
    assert [_gc(alice_api)["count"] for _ in range(2)] == [1, 0]


def test_use_that_waits_to_be_counted_keeps_a_memory(alice_browser: Any, alice_api: APIClient) -> None:
    memory = _aged(alice_api, "A used one.", 30)
    assert alice_browser.get(f"/memories/{memory}/").status_code == 200
    assert _gc(alice_api)["count"] == 0


def test_nobody_elses_memories_are_collected(alice: User, alice_api: APIClient, bob_api: APIClient) -> None:
    _aged(alice_api, "An old one.", 91)
    assert _gc(bob_api)["count"] == 0


@pytest.mark.parametrize(
    "wanted",
    [{"layers": []}, {"layers": ["all"]}, {"max_age_days": -1}, {"min_access_count": "x"}, {"age": 1}],
    ids=str,
)
def test_nonsense_is_refused(alice_api: APIClient, wanted: dict[str, Any]) -> None:
    assert alice_api.post("/api/memories/gc", wanted).status_code == 400
