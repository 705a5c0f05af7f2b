"""Merging by a person or program: one successor, nothing lost, and it can be taken back."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from tests.api.asking import add

ONE = "The user runs a bakery in Lyon with her sister."
OTHER = "The user runs a small bakery in Lyon."


def _merge(client: APIClient, *answers: dict[str, Any], **fields: Any) -> Any:
    ids = [answer["memory"]["id"] for answer in answers]
    return client.post("/api/memories/merge", {"ids": ids, **fields})


def _standing(client: APIClient) -> list[str]:
    rows = client.get("/api/memories?status=active&order=asc").json()["results"]
    return [memory["content"] for memory in rows]


def test_merge_writes_a_successor_of_all(alice_api: APIClient) -> None:
    one, other = add(alice_api, ONE, importance=0.3, tags=["work"]), add(alice_api, OTHER, importance=0.7)
    response = _merge(alice_api, one, other)
    merged = response.json()["memory"]
    assert (response.status_code, merged["content"]) == (201, f"{ONE}\n{OTHER}")
    assert (merged["importance"], merged["tags"]) == (0.7, ["work"])
    assert set(merged["supersedes"]) == {one["memory"]["id"], other["memory"]["id"]}
    assert _standing(alice_api) == [merged["content"]]


def test_fuller_one_is_the_whole_when_it_contains_the_other(alice_api: APIClient) -> None:
    short, full = add(alice_api, "The user runs a bakery."), add(alice_api, "The user runs a bakery in Lyon.")
    assert _merge(alice_api, short, full).json()["memory"]["content"] == "The user runs a bakery in Lyon."


def test_given_words_are_the_whole(alice_api: APIClient) -> None:
    words = "The user and her sister run a small bakery in Lyon."
    assert _merge(alice_api, add(alice_api, ONE), add(alice_api, OTHER), content=words).json()["memory"][
        "content"
    ] == (words)


def test_merge_is_undone(alice_api: APIClient) -> None:
    batch = _merge(alice_api, add(alice_api, ONE), add(alice_api, OTHER)).json()["batch_id"]
    assert alice_api.post("/api/memories/undo", {"batch_id": batch}).status_code == 200
    assert _standing(alice_api) == [ONE, OTHER]


def test_memories_that_differ_in_meaning_are_not_joined(alice_api: APIClient) -> None:
    one, other = add(alice_api, "The API listens on port 80."), add(alice_api, "The API listens on port 81.")
    assert _merge(alice_api, one, other).status_code == 409
    assert len(_standing(alice_api)) == 2


def test_unlike_kinds_episodes_and_single_ones_are_not_merged(alice_api: APIClient) -> None:
    fact, lesson = add(alice_api, ONE), add(alice_api, OTHER, kind="lesson")
    episodes = [add(alice_api, text, layer="episodic") for text in (ONE, OTHER)]
    answers = [_merge(alice_api, fact, lesson), _merge(alice_api, *episodes), _merge(alice_api, fact)]
    assert [response.status_code for response in answers] == [400, 400, 400]


def test_memory_that_no_longer_stands_is_not_merged(alice_api: APIClient) -> None:
    one, other = add(alice_api, ONE), add(alice_api, OTHER)
    alice_api.delete(f"/api/memories/{one['memory']['id']}")
    assert _merge(alice_api, one, other).status_code == 409


def test_another_s_memory_cannot_be_merged_or_resolved_over(alice_api: APIClient, bob_api: APIClient) -> None:
    one, other = add(alice_api, ONE), add(bob_api, OTHER)
    assert _merge(alice_api, one, other).status_code == 404
    url = f"/api/memories/{one['memory']['id']}/resolve"
    assert alice_api.post(url, {"over": [other["memory"]["id"]]}).status_code == 404
