"""Two values for what has one: the newer ends the older; what time cannot decide, a person does."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from memories.models import Memory
from memories.models.event import EventType
from memories.models.link import LinkKind
from memories.storage.store import open_batch
from memsite.accounts.models import User
from tests.api.asking import add, search

Y2020, Y2022, Y2024 = (f"{year}-01-01T00:00:00Z" for year in (2020, 2022, 2024))
WHERE = "Where does she live?"


def _lives(client: APIClient, city: str, predicate: str = "lives in", **fields: Any) -> dict[str, Any]:
    triple = {"subject": "user", "predicate": predicate, "object": city}
    return add(client, f"The user lives in {city}.", **{**triple, **fields})


def _get(client: APIClient, answer: dict[str, Any]) -> dict[str, Any]:
    return dict(client.get(f"/api/memories/{answer['memory']['id']}").json())


def _conflicts(client: APIClient) -> list[dict[str, Any]]:
    return list(client.get("/api/memories/conflicts").json()["results"])


def _disputed(client: APIClient) -> tuple[dict[str, Any], dict[str, Any]]:
    return _lives(client, "Berlin", valid_from=Y2020), _lives(client, "Paris", valid_from=Y2020)


def test_newer_address_ends_and_supersedes_the_older(alice_api: APIClient) -> None:
    old = _lives(alice_api, "Berlin", valid_from=Y2020)
    new = _lives(alice_api, "Paris", valid_from=Y2024)
    ended = _get(alice_api, old)
    assert new["action"] == "superseded"
    assert new["memory"]["supersedes"] == [old["memory"]["id"]]
    assert (ended["status"], ended["valid_until"], ended["retired_at"]) == ("deprecated", Y2024, None)
    assert ended["ended_at"] is not None


def test_newer_address_is_recalled_and_the_older_for_its_time(alice_api: APIClient) -> None:
    _lives(alice_api, "Berlin", valid_from=Y2020)
    _lives(alice_api, "Paris", valid_from=Y2024)
    assert search(alice_api, WHERE) == ["The user lives in Paris."]
    assert search(alice_api, WHERE, as_of=Y2022) == ["The user lives in Berlin."]


def test_older_address_is_what_was_believed_before_the_move_was_known(alice_api: APIClient) -> None:
    with time_machine.travel("2026-02-01T00:00:00Z"):
        _lives(alice_api, "Berlin")
    with time_machine.travel("2026-03-01T00:00:00Z"):
        _lives(alice_api, "Paris")
        assert search(alice_api, WHERE, believed_at="2026-02-15T00:00:00Z") == ["The user lives in Berlin."]
        assert search(alice_api, WHERE, as_of="2026-02-15T00:00:00Z") == ["The user lives in Berlin."]
        assert search(alice_api, WHERE) == ["The user lives in Paris."]


def test_move_told_without_a_date_dates_from_now(alice_api: APIClient) -> None:
    old = _lives(alice_api, "Berlin")
    new = _lives(alice_api, "Paris")
    assert new["memory"]["valid_from"] == _get(alice_api, old)["valid_until"] == new["memory"]["created_at"]


def test_older_fact_that_comes_late_is_stored_as_ended(alice_api: APIClient) -> None:
    new = _lives(alice_api, "Paris", valid_from=Y2024)
    late = _lives(alice_api, "Berlin", valid_from=Y2020)
    assert late["action"] == "created"
    assert (late["memory"]["status"], late["memory"]["valid_until"]) == ("deprecated", Y2024)
    assert _get(alice_api, new)["status"] == "active"
    assert search(alice_api, WHERE, as_of=Y2022) == ["The user lives in Berlin."]


def test_fact_that_comes_late_takes_its_place_between_two(alice_api: APIClient) -> None:
    first = _lives(alice_api, "Berlin", valid_from=Y2020)
    _lives(alice_api, "Paris", valid_from=Y2024)
    between = _lives(alice_api, "Rome", valid_from=Y2022)
    assert between["memory"]["valid_until"] == Y2024
    assert _get(alice_api, first)["valid_until"] == Y2022


def test_return_to_an_old_address_is_a_row_of_its_own(alice_api: APIClient) -> None:
    first = _lives(alice_api, "Berlin", valid_from=Y2020)
    _lives(alice_api, "Paris", valid_from=Y2022)
    back = _lives(alice_api, "Berlin", valid_from=Y2024)
    assert back["action"] == "superseded"
    assert back["memory"]["id"] != first["memory"]["id"]
    assert search(alice_api, WHERE) == ["The user lives in Berlin."]
    assert search(alice_api, WHERE, as_of="2023-01-01T00:00:00Z") == ["The user lives in Paris."]


def test_moves_of_one_batch_follow_each_other(alice_api: APIClient) -> None:
    cities = ["Berlin", "Paris", "Berlin"]
    body = [
        {"content": f"I live in {city}.", "subject": "I", "predicate": "lives_in", "object": city}
        for city in cities
    ]
    results = alice_api.post("/api/memories/batch", {"memories": body}).json()["results"]
    assert [one["action"] for one in results] == ["created", "superseded", "superseded"]
    assert search(alice_api, "Where do I live?") == ["I live in Berlin."]


@pytest.mark.parametrize(
    ("subject", "predicate"),
    [
        ("I", "resides_in"),
        ("the user", "is living in"),
        ("alice", "moved to"),
        ("用户", "住在"),
        ("我", "居住在"),
        ("Alice", "现居"),
    ],
)
def test_same_slot_in_other_words_is_the_same_slot(
    alice_api: APIClient, subject: str, predicate: str
) -> None:
    old = _lives(alice_api, "Berlin")
    _lives(alice_api, "Paris", predicate, subject=subject)
    assert _get(alice_api, old)["status"] == "deprecated"


def test_same_city_more_exactly_is_no_conflict(alice_api: APIClient) -> None:
    old = _lives(alice_api, "Berlin")
    assert _lives(alice_api, "Berlin, Germany")["action"] == "created"
    assert _get(alice_api, old)["status"] == "active"


@pytest.mark.parametrize(
    ("subject", "predicate"), [("Bob", "lives in"), ("user", "visited"), ("user", "likes")]
)
def test_other_subjects_and_many_valued_predicates_do_not_conflict(
    alice_api: APIClient, subject: str, predicate: str
) -> None:
    old = _lives(alice_api, "Berlin", "likes" if predicate == "likes" else "lives in")
    assert _lives(alice_api, "Paris", predicate, subject=subject)["action"] == "created"
    assert _get(alice_api, old)["status"] == "active"


def test_single_valued_makes_any_predicate_take_one_value(alice_api: APIClient) -> None:
    triple = {"subject": "user", "predicate": "drives", "single_valued": True}
    old = add(alice_api, "She drives a Golf.", object="Golf", **triple)
    assert add(alice_api, "She drives a Polo.", object="Polo", **triple)["action"] == "superseded"
    assert _get(alice_api, old)["status"] == "deprecated"


def test_preference_turned_round_supersedes_and_another_pair_does_not(alice_api: APIClient) -> None:
    prefers = {"kind": "preference", "subject": "user", "predicate": "prefers"}
    old = add(alice_api, "Prefers tabs over spaces.", object="tabs over spaces", **prefers)
    other = add(alice_api, "Prefers tea over coffee.", object="tea over coffee", **prefers)
    turned = add(alice_api, "Prefers spaces over tabs.", object="spaces over tabs", **prefers)
    assert [other["action"], turned["action"]] == ["created", "superseded"]
    assert _get(alice_api, old)["status"] == "deprecated"


def test_same_start_is_disputed_on_both_sides(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    assert new["action"] == new["memory"]["status"] == _get(alice_api, old)["status"] == "disputed"


def test_much_less_sure_news_is_disputed(alice_api: APIClient) -> None:
    _lives(alice_api, "Berlin", confidence=0.9)
    assert _lives(alice_api, "Paris", confidence=0.6)["action"] == "disputed"


def test_little_less_sure_news_supersedes(alice_api: APIClient) -> None:
    _lives(alice_api, "Berlin", confidence=0.9)
    assert _lives(alice_api, "Paris", confidence=0.65)["action"] == "superseded"


def test_search_warns_of_both_sides_of_a_dispute(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    found = alice_api.post("/api/memories/search", {"query": "Paris", "top_k": 1, "min_similarity": 0}).json()
    assert found["conflict_warning"] == 'Two memories disagree on "user lives in": "Paris" or "Berlin".'
    assert set(found["conflicting_ids"]) == {old["memory"]["id"], new["memory"]["id"]}


def test_conflicts_lists_both_texts(alice_api: APIClient, bob_api: APIClient) -> None:
    _disputed(alice_api)
    (conflict,) = _conflicts(alice_api)
    assert [side["content"] for side in conflict["memories"]] == [
        "The user lives in Berlin.",
        "The user lives in Paris.",
    ]
    assert _conflicts(bob_api) == []


def test_person_resolves_for_one_side(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    kept = alice_api.post(f"/api/memories/{new['memory']['id']}/resolve", {}).json()
    assert (kept["action"], kept["memory"]["status"]) == ("resolved", "active")
    assert _get(alice_api, old)["retired_at"] is not None
    assert _conflicts(alice_api) == []
    assert search(alice_api, WHERE) == ["The user lives in Paris."]


def test_resolution_is_undone(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    batch = alice_api.post(f"/api/memories/{new['memory']['id']}/resolve", {}).json()["batch_id"]
    assert alice_api.post("/api/memories/undo", {"batch_id": batch}).status_code == 200
    assert len(_conflicts(alice_api)) == 1
    assert _get(alice_api, old)["status"] == "disputed"


@pytest.mark.parametrize(("how", "status"), [("past", "deprecated"), ("both", "active")])
def test_other_side_may_be_past_or_true_too(alice_api: APIClient, how: str, status: str) -> None:
    old, new = _disputed(alice_api)
    answer = alice_api.post(f"/api/memories/{new['memory']['id']}/resolve", {"how": how})
    other = _get(alice_api, old)
    assert answer.json()["memory"]["status"] == "active"
    assert (other["status"], other["retired_at"]) == (status, None)


def test_side_that_is_yet_to_begin_ends_when_it_begins(alice_api: APIClient) -> None:
    old, new = (_lives(alice_api, city, valid_from="2090-01-01T00:00:00Z") for city in ("Berlin", "Paris"))
    answer = alice_api.post(f"/api/memories/{new['memory']['id']}/resolve", {"how": "past"})
    other = _get(alice_api, old)
    assert answer.status_code == 200
    assert (other["status"], other["valid_until"]) == ("deprecated", other["valid_from"])


def test_undisputed_memory_cannot_be_resolved(alice_api: APIClient) -> None:
    only = _lives(alice_api, "Berlin")["memory"]
    assert alice_api.post(f"/api/memories/{only['id']}/resolve", {}).status_code == 409


def test_forgetting_one_side_settles_the_dispute(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    alice_api.delete(f"/api/memories/{old['memory']['id']}")
    assert _get(alice_api, new)["status"] == "active"


def test_restored_side_of_a_dispute_is_disputed_again(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    for gone, left in ((old, new), (new, old)):
        alice_api.delete(f"/api/memories/{gone['memory']['id']}")
        restored = alice_api.post(f"/api/memories/{gone['memory']['id']}/restore").json()["memory"]
        assert restored["status"] == _get(alice_api, left)["status"] == "disputed"
    assert len(_conflicts(alice_api)) == 1


def test_restored_side_of_a_decided_dispute_is_undisputed(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    alice_api.post(f"/api/memories/{new['memory']['id']}/resolve", {"how": "both"})
    alice_api.delete(f"/api/memories/{old['memory']['id']}")
    restored = alice_api.post(f"/api/memories/{old['memory']['id']}/restore").json()["memory"]
    assert restored["status"] == _get(alice_api, new)["status"] == "active"


def _dispute_texts(user: User, *answers: dict[str, Any]) -> None:
    """What a report finds at odds, disputed without a slot to tell it by."""
    with open_batch(owner=user.pk, actor="schedule", reason="at odds") as batch:
        rows = [Memory.objects.get(pk=answer["memory"]["id"]) for answer in answers]
        for row in rows:
            batch.change(row, EventType.DISPUTED, status="disputed")
        batch.link(rows[0], rows[1].pk, LinkKind.DISPUTES, reason="negation")


def test_free_text_let_go_with_its_opposite_is_disputed_when_both_are_back(
    alice_api: APIClient, alice: User
) -> None:
    sides = [add(alice_api, f"The user is {word}allergic to peanuts.") for word in ("", "not ")]
    _dispute_texts(alice, *sides)
    for side in sides:
        alice_api.delete(f"/api/memories/{side['memory']['id']}")
    for side, status in zip(sides, ("active", "disputed"), strict=True):
        restored = alice_api.post(f"/api/memories/{side['memory']['id']}/restore").json()["memory"]
        assert restored["status"] == status
    assert _get(alice_api, sides[0])["status"] == "disputed"


def test_newer_value_settles_a_dispute_by_ending_both(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    assert _lives(alice_api, "Rome", valid_from=Y2024)["action"] == "superseded"
    assert {_get(alice_api, one)["status"] for one in (old, new)} == {"deprecated"}
    assert _conflicts(alice_api) == []


def test_undo_of_a_move_brings_the_old_address_back(alice_api: APIClient) -> None:
    old = _lives(alice_api, "Berlin", valid_from=Y2020)
    new = _lives(alice_api, "Paris", valid_from=Y2024)
    undone = alice_api.post("/api/memories/undo", {"batch_id": new["batch_id"]}).json()
    again = _get(alice_api, old)
    assert (again["status"], again["valid_until"], again["ended_at"]) == ("active", None, None)
    assert search(alice_api, WHERE) == ["The user lives in Berlin."]
    alice_api.post("/api/memories/undo", {"batch_id": undone["batch_id"]})
    assert search(alice_api, WHERE) == ["The user lives in Paris."]


def test_undo_of_a_dispute_leaves_the_one_side_undisputed(alice_api: APIClient) -> None:
    old, new = _disputed(alice_api)
    alice_api.post("/api/memories/undo", {"batch_id": new["batch_id"]})
    assert _get(alice_api, old)["status"] == "active"
    assert _get(alice_api, new)["status"] == "deprecated"


def test_restored_address_comes_back_ended_when_she_moved_meanwhile(alice_api: APIClient) -> None:
    old = _lives(alice_api, "Berlin", valid_from=Y2020)
    alice_api.delete(f"/api/memories/{old['memory']['id']}")
    _lives(alice_api, "Paris", valid_from=Y2024)
    restored = alice_api.post(f"/api/memories/{old['memory']['id']}/restore").json()["memory"]
    assert (restored["status"], restored["valid_until"]) == ("deprecated", Y2024)


def test_waiting_memory_ends_nothing_until_it_is_confirmed(alice_api: APIClient) -> None:
    forgotten = _lives(alice_api, "Paris")
    alice_api.delete(f"/api/memories/{forgotten['memory']['id']}")
    old = _lives(alice_api, "Berlin")
    waiting = _lives(alice_api, "Paris")
    assert (waiting["action"], _get(alice_api, old)["status"]) == ("pending", "active")
    alice_api.patch(f"/api/memories/{waiting['memory']['id']}", {"status": "active"})
    assert _get(alice_api, old)["status"] == "deprecated"


def test_move_that_lies_ahead_ends_nothing_yet(alice_api: APIClient) -> None:
    old = _lives(alice_api, "Berlin")
    _lives(alice_api, "Paris", valid_from="2999-01-01T00:00:00Z")
    assert _get(alice_api, old)["status"] == "active"
    assert search(alice_api, WHERE) == ["The user lives in Berlin."]
    assert search(alice_api, WHERE, as_of="2999-06-01T00:00:00Z") == ["The user lives in Paris."]


def test_another_owner_s_address_ends_nothing(alice_api: APIClient, bob_api: APIClient) -> None:
    old = _lives(alice_api, "Berlin")
    assert _lives(bob_api, "Paris")["action"] == "created"
    assert _get(alice_api, old)["status"] == "active"
