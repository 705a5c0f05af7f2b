"""What has been forgotten for a year is erased; what is remembered stays whole."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from memories.curation import erasing
from memories.maintenance.forgetting import purge
from memories.models import Erasure, Event, Memory
from memsite.accounts.models import User
from tests.api.asking import add


def _forgotten(client: APIClient, memory_id: str, days: float) -> None:
    client.delete(f"/api/memories/{memory_id}")
    Memory.objects.filter(pk=memory_id).update(forgotten_at=timezone.now() - timedelta(days=days))


def _reworded(client: APIClient, memory_id: str, content: str) -> str:
    response = client.patch(f"/api/memories/{memory_id}", {"content": content})
    assert response.status_code == 200, response.json()
    return str(response.json()["memory"]["id"])


def _left() -> set[str]:
    return {str(memory_id) for memory_id in Memory.objects.values_list("id", flat=True)}


@pytest.mark.parametrize(("days", "left"), [(364, 1), (366, 0)])
def test_a_year_after_its_forgetting_a_memory_is_erased(alice_api: APIClient, days: int, left: int) -> None:
    memory = add(alice_api, "The rabbit is called Clover.")["memory"]
    _forgotten(alice_api, memory["id"], days)
    purge.purge_forgotten()
    assert len(_left()) == left


def test_purge_leaves_a_keyed_hash_and_events_without_what_stood(alice_api: APIClient) -> None:
    memory = add(alice_api, "The rabbit is called Clover.")["memory"]
    alice_api.patch(f"/api/memories/{memory['id']}", {"tags": ["Clover"]})
    _forgotten(alice_api, memory["id"], 366)
    purge.purge_forgotten()
    assert Erasure.objects.exists()
    events = list(Event.objects.filter(memory_id=memory["id"]))
    assert events[-1].type == "memory.deleted"
    assert {event.before for event in events} == {None}


def test_earlier_wordings_go_with_it(alice_api: APIClient) -> None:
    first = add(alice_api, "The rabbit is called Clover.")["memory"]["id"]
    second = _reworded(alice_api, first, "The rabbit is called Rover.")
    _forgotten(alice_api, second, 366)
    assert purge.purge_forgotten() == 2
    assert _left() == set()


def test_what_follows_a_forgotten_wording_stays_and_is_still_erased_as_one(
    alice: User, alice_api: APIClient
) -> None:
    chain = [add(alice_api, "The rabbit is called One.")["memory"]["id"]]
    for number in ("Two", "Three", "Four"):
        chain.append(_reworded(alice_api, chain[-1], f"The rabbit is called {number}."))
    _forgotten(alice_api, chain[2], 366)
    Memory.objects.filter(pk=chain[1]).update(retired_at=None, ended_at=timezone.now())  # the world changed
    purge.purge_forgotten()
    assert _left() == {chain[0], chain[1], chain[3]}
    receipt = erasing.erase_memory(chain[3], owner=alice.pk, actor="person")
    assert {str(memory_id) for memory_id in receipt.memory_ids} == {chain[0], chain[1], chain[3]}


def test_purge_that_was_cut_off_is_finished_by_the_next(
    alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "_AT_ONCE", 1)
    for number in range(3):
        _forgotten(alice_api, add(alice_api, f"Note {number} of the rabbit.")["memory"]["id"], 366)
    calls = []

    def dies(*args: Any) -> dict[str, int]:
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return erasing.erase_rows(*args)

    monkeypatch.setattr(purge, "erase_rows", dies)
    with pytest.raises(KeyboardInterrupt):
        purge.purge_forgotten()
    assert len(_left()) == 2
    monkeypatch.setattr(purge, "erase_rows", erasing.erase_rows)
    assert (purge.purge_forgotten(), purge.purge_forgotten()) == (2, 0)


def test_purge_touches_only_whose_year_is_over(alice_api: APIClient, bob_api: APIClient) -> None:
    hers = add(alice_api, "The rabbit is called Clover.")["memory"]
    his = add(bob_api, "The rabbit is called Clover.")["memory"]
    _forgotten(alice_api, hers["id"], 366)
    purge.purge_forgotten()
    assert _left() == {his["id"]}
