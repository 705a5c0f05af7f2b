"""What is near a memory: by entities, relations and links, at a time, within bounds, never another's."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from memories.storage.graph import list_related
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.api.asking import add


def near(client: APIClient, memory: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
    response = client.get(f"/api/memories/{memory['id']}/related", query)
    assert response.status_code == 200, response.json()
    return list(response.json()["results"])


def said(found: list[dict[str, Any]]) -> list[str]:
    return [one["content"] for one in found]


def test_memory_of_the_same_entity_is_one_step_away(alice_api: APIClient) -> None:
    sister = add(alice_api, "Anna's sister is Maria.")["memory"]
    add(alice_api, "Maria works at Siemens.")
    add(alice_api, "The printer is out of paper.")
    (found,) = near(alice_api, sister)
    assert found["content"] == "Maria works at Siemens."
    assert found["distance"] == 1
    assert found["via"] == {
        "kind": "relation",
        "name": "Maria",
        "predicate": "works_at",
        "source": sister["id"],
    }


def test_depth_two_reaches_further_and_says_how_far(alice_api: APIClient) -> None:
    start = add(alice_api, "Anna's sister is Maria.")["memory"]
    add(alice_api, "Maria works at Siemens.")
    add(alice_api, "Siemens was founded in Berlin.")
    assert said(near(alice_api, start)) == ["Maria works at Siemens."]
    assert [(one["distance"], one["via"]["name"]) for one in near(alice_api, start, depth=2)] == [
        (1, "Maria"),
        (2, "Siemens"),
    ]


def test_chinese_chain_is_walked(alice_api: APIClient) -> None:
    start = add(alice_api, "小明的妹妹是小红。")["memory"]
    add(alice_api, "小红在阿里巴巴工作。")
    assert said(near(alice_api, start)) == ["小红在阿里巴巴工作。"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Maria paints.", "The gallery shows MARIA twice."),
        ("We met Ｍａｒｉａ there.", "They know Maria well."),
        ("They know Maria's brother.", "They know Maria well."),
        ("陳偉在上海工作。", "我认识陈伟。"),
    ],
)
def test_case_width_script_and_possessive_are_one_entity(alice_api: APIClient, one: str, other: str) -> None:
    start = add(alice_api, one)["memory"]
    add(alice_api, other)
    assert said(near(alice_api, start)) == [other]


def test_stated_alias_is_the_same_entity_at_no_distance(alice_api: APIClient) -> None:
    start = add(alice_api, "Bob plays the cello.", subject="Bob")["memory"]
    add(alice_api, "Robert lives in Oslo.")
    assert near(alice_api, start) == []
    add(alice_api, "Robert is also known as Bob.")
    assert "Robert lives in Oslo." in said(near(alice_api, start))


def test_names_that_only_look_alike_stay_two(alice_api: APIClient) -> None:
    start = add(alice_api, "Bob plays the cello.", subject="Bob")["memory"]
    add(alice_api, "Bobby lives in Oslo.", subject="Bobby")
    add(alice_api, "Bob Marley sang.", subject="Bob Marley")
    assert near(alice_api, start) == []


def test_alias_goes_with_the_memory_that_stated_it(alice_api: APIClient) -> None:
    start = add(alice_api, "Bob plays the cello.", subject="Bob")["memory"]
    add(alice_api, "Robert lives in Oslo.")
    alias = add(alice_api, "Robert is also known as Bob.")["memory"]
    alice_api.delete(f"/api/memories/{alias['id']}")
    assert near(alice_api, start) == []


def test_forgotten_memory_is_no_neighbour_and_no_bridge(alice_api: APIClient) -> None:
    start = add(alice_api, "Anna's sister is Maria.")["memory"]
    bridge = add(alice_api, "Maria works at Siemens.")["memory"]
    add(alice_api, "Siemens was founded in Berlin.")
    alice_api.delete(f"/api/memories/{bridge['id']}")
    assert near(alice_api, start, depth=3) == []


def test_erased_memory_leaves_no_entity(alice_api: APIClient) -> None:
    memory = add(alice_api, "Zebulon works at Quuxcorp.")["memory"]
    alice_api.delete(f"/api/memories/{memory['id']}?erase=true")
    assert alice_api.get("/api/memories/graph").json() == {"entities": [], "relations": [], "more": False}


def test_ended_memory_answers_for_its_own_time_alone(alice_api: APIClient) -> None:
    start = add(alice_api, "Maria paints.", subject="Maria", valid_from="2019-01-01T00:00:00Z")["memory"]
    old = "Maria lives in Berlin."
    add(alice_api, old, valid_from="2020-01-01T00:00:00Z", valid_until="2022-01-01T00:00:00Z")
    assert near(alice_api, start) == []
    assert said(near(alice_api, start, as_of="2021-01-01T00:00:00Z")) == [old]
    assert near(alice_api, start, as_of="2019-06-01T00:00:00Z") == []


def test_retired_wording_answers_for_when_it_was_believed(alice_api: APIClient) -> None:
    start = add(alice_api, "Maria paints.", subject="Maria")["memory"]
    old = add(alice_api, "Maria lives in Berlin.")["memory"]
    alice_api.patch(f"/api/memories/{old['id']}", {"content": "Maria lives in Paris."})
    assert said(near(alice_api, start)) == ["Maria lives in Paris."]
    assert said(near(alice_api, start, believed_at=old["created_at"])) == ["Maria lives in Berlin."]


def test_link_is_an_edge_in_both_directions(alice: User) -> None:
    first = write_candidates([Candidate("Water boils.")], owner=alice.pk, actor="test").outcomes[0].memory
    assert first is not None
    derived = Candidate("Tea is made of it.", derived_from=(str(first.pk),))
    second = write_candidates([derived], owner=alice.pk, actor="test").outcomes[0].memory
    assert second is not None
    for one, other in ((first, second), (second, first)):
        (found,) = list_related(one.pk, owner=alice.pk)
        assert found.memory == other
        assert (found.via.kind, found.via.name, found.weight) == ("link", "derived_from", 1.0)


def test_rare_entity_ties_closer_than_a_common_one(alice_api: APIClient) -> None:
    for number in range(10):
        add(alice_api, f"Berlin has lake {number}.", participants=["Berlin"])
    add(alice_api, "Maria paints.", participants=["Maria"])
    start = add(alice_api, "They met.", participants=["Berlin", "Maria"])["memory"]
    found = near(alice_api, start)
    assert found[0]["content"] == "Maria paints."
    assert found[0]["weight"] > found[1]["weight"]


def test_hub_is_not_walked_through_after_the_first_step(alice: User) -> None:
    hub = [Candidate(f"note {number}", participants=("hub",), entities=("hub",)) for number in range(101)]
    start = Candidate("begin", entities=("bridge",))
    bridge = Candidate("middle", entities=("bridge", "hub"))
    first = write_candidates([start, bridge, *hub], owner=alice.pk, actor="test").outcomes[0].memory
    assert first is not None
    assert [one.memory.content for one in list_related(first.pk, owner=alice.pk, depth=3)] == ["middle"]


def test_walk_takes_three_statements_at_any_depth(alice: User) -> None:
    texts = ("tea", "a river", "blue paper", "two clouds", "stone")
    chain = [Candidate(text, entities=(f"e{at}", f"e{at + 1}")) for at, text in enumerate(texts)]
    first = write_candidates(chain, owner=alice.pk, actor="test").outcomes[0].memory
    assert first is not None
    with CaptureQueriesContext(connection) as queries:
        found = list_related(first.pk, owner=alice.pk, depth=3)
    assert [one.distance for one in found] == [1, 2, 3]
    assert len(queries) == 3


def test_hidden_memory_is_left_out(alice: User) -> None:
    written = write_candidates(
        [Candidate("one", entities=("x",)), Candidate("two", entities=("x",))], owner=alice.pk, actor="test"
    )
    first, second = (outcome.memory for outcome in written.outcomes)
    assert first is not None
    assert second is not None
    assert list_related(first.pk, owner=alice.pk, hidden=frozenset({second.pk})) == []


def test_another_owners_memories_of_the_same_entity_are_not_near(
    alice_api: APIClient, bob_api: APIClient
) -> None:
    start = add(alice_api, "Maria paints.", participants=["Maria"])["memory"]
    add(bob_api, "Maria works at Siemens.")
    assert near(alice_api, start) == []
    assert bob_api.get(f"/api/memories/{start['id']}/related").status_code == 404


@pytest.mark.parametrize("query", ["depth=0", "depth=4", "limit=201", "nonsense=1", "as_of=soon"])
def test_parameter_out_of_range_is_refused(alice_api: APIClient, query: str) -> None:
    start = add(alice_api, "Maria paints.")["memory"]
    assert alice_api.get(f"/api/memories/{start['id']}/related?{query}").status_code == 400


def test_id_of_no_memory_is_not_found(alice: User, alice_api: APIClient) -> None:
    assert alice_api.get(f"/api/memories/{UUID(int=7)}/related").status_code == 404
