from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from memories.maintenance.reflection.sources.coverage import drop_repeated_facts, split_facts
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from tests.memories.reflection.reflecting import listed, reflect, remember_all, written

pytestmark = pytest.mark.django_db
ALIKE = (
    "The staging server runs on port 8080 in Frankfurt.",
    "The staging server runs on port 8080 in Frankfurt since 2024.",
    "The staging server runs PostgreSQL 16 on port 5432 in Frankfurt.",
)


def test_given_memories_become_one_that_keeps_every_fact(alice_api: APIClient) -> None:
    ids = remember_all(alice_api, ["Alice has a dog named Rex.", "Rex is 4 years old.", "Rex hates the vet."])
    part = reflect(alice_api, "compress", ids=ids)
    [made] = written(part)
    for fact in ("named Rex", "4 years", "hates the vet"):
        assert fact in made["content"]
    assert set(made["supersedes"]) == set(ids)
    assert len(part["preserved_facts"]) == 3
    assert part["counts"]["retired"] == 3
    assert {memory["status"] for memory in listed(alice_api) if memory["id"] in ids} == {"deprecated"}


def test_result_keeps_the_largest_importance_and_the_latest_time(alice_api: APIClient) -> None:
    first = remember_all(alice_api, ["Rex is a dog."], importance=0.95, occurred_at="2024-01-01T00:00Z")
    second = remember_all(alice_api, ["Rex likes bones."], importance=0.5, occurred_at="2025-01-01T00:00Z")
    [made] = written(reflect(alice_api, "compress", ids=first + second))
    assert made["importance"] == 0.95
    assert made["occurred_at"].startswith("2025-01-01")


def test_what_is_said_twice_is_dropped_once(alice_api: APIClient) -> None:
    ids = remember_all(alice_api, ["Rex is a dog. Rex likes bones.", "Rex likes bones. Rex is brown."])
    part = reflect(alice_api, "compress", ids=ids)
    [made] = written(part)
    assert made["content"].count("bones") == 1
    assert part["dropped_redundant"] == ["Rex likes bones."]


def test_most_similar_of_a_layer_are_chosen(alice_api: APIClient) -> None:
    remember_all(alice_api, [*ALIKE, "The user plays the violin."])
    part = reflect(alice_api, "compress", layer="semantic")
    standing = {memory["content"] for memory in listed(alice_api, status="active")}
    assert part["counts"]["retired"] >= 2
    assert "The user plays the violin." in standing


@pytest.mark.parametrize(
    "contents",
    [
        ["The user drove from Rome to Oslo.", "The user drove from Oslo to Rome."],
        ["The API of the project listens on port 8080.", "The API of the project listens on port 8081."],
        ["用户每周从北京飞上海。", "用户每周从上海飞北京。"],
    ],
)
def test_near_in_words_but_different_is_not_chosen(alice_api: APIClient, contents: list[str]) -> None:
    remember_all(alice_api, contents)
    reflect(alice_api, "compress", layer="semantic")
    assert sorted(one["content"] for one in listed(alice_api, status="active")) == sorted(contents)


def test_nothing_alike_is_nothing_done(alice_api: APIClient) -> None:
    remember_all(alice_api, ["The user plays the violin.", "Berlin has lakes."])
    part = reflect(alice_api, "compress")
    assert part["results"] == []
    assert part["error"] == "no two memories are alike enough"


def test_undo_brings_the_sources_back(alice_api: APIClient) -> None:
    ids = remember_all(alice_api, ["Rex is a dog.", "Rex likes bones."])
    part = reflect(alice_api, "compress", ids=ids)
    assert alice_api.post("/api/memories/undo", {"batch_id": part["batch_id"]}).status_code == 200
    assert {memory["id"] for memory in listed(alice_api, status="active")} == set(ids)


def test_episodes_stay_beside_their_summary(alice_api: APIClient) -> None:
    ids = remember_all(alice_api, ["Met Bob at 9.", "Bob showed the plan."], layer="episodic")
    [made] = written(reflect(alice_api, "compress", ids=ids))
    assert (made["layer"], made["kind"]) == ("episodic", "summary")
    assert {memory["id"] for memory in listed(alice_api, status="active", layer="episodic")} > set(ids)
    assert reflect(alice_api, "facts")["counts"]["looked_at"] == 2


@pytest.mark.parametrize(
    "contents",
    [
        ["The user eats meat.", "The user does not eat meat."],
        ["用户吃肉。", "用户不吃肉。"],
    ],
)
def test_contradicting_memories_do_not_become_one(alice_api: APIClient, contents: list[str]) -> None:
    ids = remember_all(alice_api, contents)
    response = alice_api.post("/api/memories/reflect", {"what": "compress", "ids": ids})
    assert response.status_code == 400


def test_memories_of_another_are_not_found(alice_api: APIClient, bob_api: APIClient) -> None:
    ids = remember_all(alice_api, ["Rex is a dog.", "Rex likes bones."])
    for what in ("compress", "patterns", "infer", "consolidate"):
        assert bob_api.post("/api/memories/reflect", {"what": what, "ids": ids}).status_code == 404


def test_with_auto_extract_off_nothing_is_retired(alice_api: APIClient, alice: User) -> None:
    ids = remember_all(alice_api, ["Rex is a dog.", "Rex likes bones."])
    set_preferences(alice.pk, auto_extract=False)
    [made] = written(reflect(alice_api, "compress", ids=ids))
    assert made["status"] == "pending"
    assert {memory["id"] for memory in listed(alice_api, status="active")} == set(ids)


def test_longer_than_one_may_be_is_left_alone(alice_api: APIClient) -> None:
    ids = remember_all(alice_api, ["word " * 300 + "end.", "other " * 300 + "end."])
    part = reflect(alice_api, "compress", ids=ids)
    assert written(part) == []
    assert len(listed(alice_api, status="active")) == 2


@given(st.lists(st.sampled_from(["A is 1.", "B is 2.", "C is not D.", "猫叫咪咪。"]), min_size=1, max_size=8))
def test_every_fact_is_kept_or_dropped_for_one_that_is_kept(facts: list[str]) -> None:
    kept, dropped = drop_repeated_facts(facts)
    assert sorted(kept + dropped) == sorted(facts)
    assert set(dropped) <= set(kept)
    assert split_facts("\n".join(kept)) == kept
