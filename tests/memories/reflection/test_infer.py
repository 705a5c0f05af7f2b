from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.memories.reflection.reflecting import listed, reflect, remember_all, written

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("contents", "inferred"),
    [
        (["Montmartre is in Paris.", "Paris is located in France."], "Montmartre is located in France."),
        (["Billing depends on Ledger.", "Ledger depends on Kafka."], "Billing depends on Kafka."),
        (["浦东位于上海。", "上海位于中国。"], "浦东位于中国。"),
        (["The user lives in Montmartre.", "Montmartre is in Paris."], "The user lives in Paris."),
        (["用户住在浦东。", "浦东位于上海。"], "用户住在上海。"),
    ],
)
def test_chain_of_two_is_inferred_marked_and_sourced(
    alice_api: APIClient, contents: list[str], inferred: str
) -> None:
    ids = remember_all(alice_api, contents)
    [memory] = written(reflect(alice_api, "infer"))
    assert memory["content"] == inferred
    assert memory["metadata"]["inferred"] is True
    assert (memory["lifespan"], memory["written_by"]) == ("working", "reflection")
    assert memory["confidence"] <= 0.8
    assert set(memory["sources"]) == {f"memory:{memory_id}" for memory_id in ids}


@pytest.mark.parametrize(
    "contents",
    [
        ["Alice's sister is Bella.", "Bella lives in Paris."],
        ["Montmartre is in Paris.", "Paris is in France.", "Montmartre is in France."],
        ["A1 depends on B2.", "B2 depends on A1."],
        ["Montmartre is not in Paris.", "Paris is in France."],
        ["Anna likes Berta.", "Berta likes Clara."],
    ],
)
def test_nothing_is_guessed_or_said_twice(alice_api: APIClient, contents: list[str]) -> None:
    remember_all(alice_api, contents)
    assert written(reflect(alice_api, "infer")) == []


def test_inference_never_stands_against_what_was_said(alice_api: APIClient) -> None:
    chain = ["Montmartre is in Paris.", "Paris is in France."]
    remember_all(alice_api, [*chain, "Montmartre is not located in France."])
    before = listed(alice_api)
    assert written(reflect(alice_api, "infer")) == []
    assert listed(alice_api) == before


def test_said_memories_are_untouched_by_an_inference(alice_api: APIClient) -> None:
    remember_all(alice_api, ["Montmartre is in Paris.", "Paris is in France."])
    before = listed(alice_api)
    reflect(alice_api, "infer")
    assert [memory for memory in listed(alice_api) if memory["written_by"] != "reflection"] == before


def test_what_was_inferred_is_not_inferred_from(alice_api: APIClient) -> None:
    remember_all(alice_api, ["Montmartre is in Paris.", "Paris is in France.", "France is in Europe."])
    first = {memory["content"] for memory in written(reflect(alice_api, "infer"))}
    assert first == {"Montmartre is located in France.", "Paris is located in Europe."}
    again = reflect(alice_api, "infer")
    assert written(again) == []


def test_inferring_again_changes_nothing(alice_api: APIClient) -> None:
    remember_all(alice_api, ["Montmartre is in Paris.", "Paris is in France."])
    reflect(alice_api, "infer")
    before = listed(alice_api)
    reflect(alice_api, "infer")
    assert listed(alice_api) == before
