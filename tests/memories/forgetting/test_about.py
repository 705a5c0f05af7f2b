"""Forgetting by wish: the list is exact and says why; what was chosen goes as one batch."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memories.models import Memory, MemoryLink
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.api.asking import add, search


def _ask(client: APIClient, **wanted: Any) -> dict[str, Any]:
    response = client.post("/api/memories/forget", wanted)
    assert response.status_code == 200, response.json()
    return dict(response.json())


def _listed(answer: dict[str, Any]) -> set[str]:
    return {memory["content"] for memory in answer["memories"]}


def _status(memory: dict[str, Any]) -> str:
    return Memory.objects.get(pk=memory["id"]).status


def test_look_lists_what_says_the_words_and_changes_nothing(alice_api: APIClient) -> None:
    rabbit = add(alice_api, "The rabbit is called Clover.")["memory"]
    add(alice_api, "The office closes at six.")
    answer = _ask(alice_api, query="rabbits")
    assert answer["dry_run"] is True
    assert _listed(answer) == {"The rabbit is called Clover."}
    assert "says these words" in answer["memories"][0]["why"]
    assert (answer["ids"], _status(rabbit)) == ([rabbit["id"]], "active")


def test_look_lists_what_mentions_the_thing_named(alice_api: APIClient) -> None:
    add(alice_api, "Clover eats hay.", participants=["Clover"])
    add(alice_api, "He needs a bigger hutch.", participants=["Clover"])
    answer = _ask(alice_api, query="Clover")
    assert _listed(answer) == {"Clover eats hay.", "He needs a bigger hutch."}
    assert all("names Clover" in memory["why"] for memory in answer["memories"])


def test_named_person_with_other_words_wants_these_too(alice_api: APIClient) -> None:
    add(alice_api, "Marta sold her car.", participants=["Marta"])
    add(alice_api, "Marta sings in a choir.", participants=["Marta"])
    assert "Marta sings in a choir." not in {
        memory["content"]
        for memory in _ask(alice_api, query="Marta's car")["memories"]
        if "close in meaning" not in memory["why"]
    }


def test_look_understands_chinese(alice_api: APIClient) -> None:
    add(alice_api, "用户养了一只兔子叫小白。")
    add(alice_api, "用户的办公室六点关门。")
    assert _listed(_ask(alice_api, query="兔子")) == {"用户养了一只兔子叫小白。"}


def test_filters_narrow_a_query_and_stand_alone(alice_api: APIClient) -> None:
    add(alice_api, "The rabbit eats hay.", tags=["pets"])
    add(alice_api, "The rabbit stew was good.", tags=["food"])
    assert _listed(_ask(alice_api, query="rabbit", tags=["food"])) == {"The rabbit stew was good."}
    assert _listed(_ask(alice_api, tags=["pets"])) == {"The rabbit eats hay."}


def test_earlier_wordings_are_listed_with_it(alice_api: APIClient) -> None:
    memory = add(alice_api, "The bunny eats hay.")["memory"]
    alice_api.patch(f"/api/memories/{memory['id']}", {"content": "The rabbit eats grass."})
    by_content = {one["content"]: one["why"] for one in _ask(alice_api, query="rabbit")["memories"]}
    assert by_content["The bunny eats hay."] == ["an earlier wording of one of these"]


def test_chosen_ones_go_as_one_batch_that_is_undone(alice_api: APIClient) -> None:
    add(alice_api, "The rabbit is called Clover.")
    add(alice_api, "The rabbit eats hay.")
    add(alice_api, "The office closes at six.")
    ids = _ask(alice_api, query="rabbit")["ids"]
    answer = _ask(alice_api, ids=ids)
    assert (answer["dry_run"], answer["count"], set(answer["ids"])) == (False, 2, set(ids))
    assert search(alice_api, "rabbit") == ["The office closes at six."]
    assert alice_api.post("/api/memories/undo", {"batch_id": answer["batch_id"]}).status_code == 200
    assert len(search(alice_api, "rabbit")) == 3


def _episode_and_what_came_of_it(owner: User) -> tuple[Memory, list[Memory]]:
    heard = ("message:1",)
    wanted = [
        Candidate("I moved to Oslo in May.", layer=Layer.EPISODIC, kind=Kind.CONVERSATION, sources=heard),
        Candidate("The user lives in Oslo.", sources=heard),
        Candidate("The user likes the sea.", sources=(*heard, "message:2")),
    ]
    rows = [outcome.memory for outcome in write_candidates(wanted, owner=owner.pk, actor="test").outcomes]
    inferred = write_candidates([Candidate("The user may speak Norwegian.")], owner=owner.pk, actor="test")
    rows.append(inferred.outcomes[0].memory)
    memories = [row for row in rows if row is not None]
    MemoryLink.objects.create(owner=owner, memory=memories[3], other=memories[1], kind="derived_from")
    return memories[0], memories[1:]


def test_forgetting_an_episode_leaves_what_was_learnt_from_it(alice: User, alice_api: APIClient) -> None:
    episode, came_of_it = _episode_and_what_came_of_it(alice)
    _ask(alice_api, ids=[str(episode.pk)])
    kept = Memory.objects.filter(status="active").values_list("id", flat=True)
    assert set(kept) == {memory.pk for memory in came_of_it}


def test_forgetting_it_with_what_came_of_it_takes_what_nothing_else_supports(
    alice: User, alice_api: APIClient
) -> None:
    episode, _ = _episode_and_what_came_of_it(alice)
    looked = _ask(alice_api, ids=[str(episode.pk)], dry_run=True)
    gone = {"The user lives in Oslo.", "The user may speak Norwegian."}
    assert {memory["content"] for memory in looked["derived"]} == gone
    answer = _ask(alice_api, ids=[str(episode.pk)], with_derived=True)
    assert _listed(answer) == gone | {"I moved to Oslo in May."}
    assert list(Memory.objects.filter(status="active").values_list("content", flat=True)) == [
        "The user likes the sea."
    ]


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"query": "  "},
        {"query": "rabbit", "dry_run": False},
        {"query": "rabbit", "ids": ["01980000-0000-7000-8000-000000000000"]},
        {"ids": ["nonsense"]},
    ],
    ids=str,
)
def test_what_is_not_one_of_the_two_steps_is_refused(alice_api: APIClient, wanted: dict[str, Any]) -> None:
    assert alice_api.post("/api/memories/forget", wanted).status_code == 400


def test_nothing_of_others_is_listed(alice_api: APIClient, bob_api: APIClient) -> None:
    add(alice_api, "The rabbit is called Clover.")
    assert _ask(bob_api, query="rabbit")["count"] == 0


def test_one_foreign_id_among_own_ones_forgets_nothing(alice_api: APIClient, bob_api: APIClient) -> None:
    hers = add(alice_api, "The rabbit is called Clover.")["memory"]
    his = add(bob_api, "The rabbit is called Bruno.")["memory"]
    response = bob_api.post("/api/memories/forget", {"ids": [his["id"], hers["id"]]})
    assert response.status_code == 404
    assert {_status(hers), _status(his)} == {"active"}
