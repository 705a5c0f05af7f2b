from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Erasure, Memory
from memories.storage import lookups
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User

pytestmark = pytest.mark.django_db

KEYS = [number.to_bytes(16, "big") for number in range(1000)]
TEXTS = [f"key {number}" for number in range(1000)]
LOOKUPS: dict[str, Callable[[UUID], Any]] = {
    "memories_memory_stands_once": lambda owner: lookups.active_by_fingerprint(KEYS, owner=owner),
    "memories_memory_gone": lambda owner: lookups.inactive_by_fingerprint(KEYS, owner=owner),
    "memories_memory_wording": lambda owner: lookups.active_by_wording(KEYS, "id", owner=owner),
    "memories_memory_slot": lambda owner: lookups.believed_by_slot(TEXTS, owner=owner),
    "memories_memory_turn": lambda owner: lookups.find_last_turns(TEXTS, owner=owner),
    "memories_source_learnt_once": lambda owner: lookups.learnt_by_reference(TEXTS, owner=owner),
    "memories_erasure_once": lambda owner: lookups.filter_erased(KEYS, owner=owner),
    "memories_entity_key_unique": lambda owner: lookups.find_entity_ids(TEXTS, owner=owner),
}


def _filled(owner: UUID, number: int) -> None:
    facts = [
        Candidate(f"Reading {each} was taken by Reader{each}.", layer=Layer.SEMANTIC, kind=Kind.FACT)
        for each in range(number)
    ]
    said = [
        Candidate(
            f"It is {each}.", layer=Layer.EPISODIC, kind=Kind.CONVERSATION, sources=(f"message:{each}",)
        )
        for each in range(number)
    ]
    write_candidates([*facts, *said], owner=owner, actor="test")


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)


def _plan_of(look_up: Callable[[UUID], Any], owner: UUID) -> list[dict[str, Any]]:
    with CaptureQueriesContext(connection) as seen:
        look_up(owner)
    assert len(seen) == 1, "nothing was found, so nothing is read"
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + seen[0]["sql"].replace("%", "%%"))
        return list(_nodes(cursor.fetchone()[0][0]["Plan"]))


def test_a_thousand_keys_are_looked_up_by_index_however_much_is_stored(alice: User, bob: User) -> None:
    _filled(alice.pk, 300)
    _filled(bob.pk, 20)
    Erasure.objects.bulk_create(Erasure(owner_id=alice.pk, digest=str(each).encode()) for each in range(300))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for index, look_up in LOOKUPS.items():
        plan = _plan_of(look_up, alice.pk)
        assert [node["Index Name"] for node in plan if "Index Name" in node] == [index]
        assert not [node for node in plan if node["Node Type"] == "Seq Scan"], index
        assert not sum(node.get("Rows Removed by Filter", 0) for node in plan), index


def test_what_is_looked_up_is_the_owners_alone(alice: User, bob: User) -> None:
    _filled(alice.pk, 3)
    row = Memory.objects.filter(owner_id=alice.pk, layer="semantic").order_by("id")[0]
    key = bytes(row.fingerprint)
    assert lookups.active_by_fingerprint([key], owner=alice.pk) == {key: row}
    assert lookups.active_by_fingerprint([key], owner=bob.pk) == {}
    assert lookups.learnt_by_reference(["message:1"], owner=bob.pk) == {}
    assert lookups.find_entity_ids(["reader1"], owner=bob.pk) == {}
