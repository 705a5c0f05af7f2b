"""The graph as the API gives it: entities, aliases, relations, at a time, within bounds."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from memories.storage.graph import load_neighbourhood
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.api.asking import add


def graph(client: APIClient, **query: Any) -> dict[str, Any]:
    response = client.get("/api/memories/graph", query)
    assert response.status_code == 200, response.json()
    return dict(response.json())


def names(found: dict[str, Any]) -> set[str]:
    return {entity["name"] for entity in found["entities"]}


def triples(found: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(one["subject"], one["predicate"], one["object"]) for one in found["relations"]}


def test_triple_of_a_memory_is_a_relation_with_its_times(alice_api: APIClient) -> None:
    triple = {"subject": "Maria", "predicate": "works_at", "object": "Siemens"}
    memory = add(alice_api, "Maria works there.", **triple, valid_from="2020-01-01T00:00:00Z")["memory"]
    found = graph(alice_api, entity="maria")
    (relation,) = found["relations"]
    assert relation["memory"] == memory["id"]
    assert relation["valid_from"] == "2020-01-01T00:00:00Z"
    assert relation["valid_until"] is None
    assert {entity["id"]: entity["name"] for entity in found["entities"]} == {
        relation["subject_id"]: "Maria",
        relation["object_id"]: "Siemens",
    }


def test_plain_sentences_give_relations_in_both_languages(alice_api: APIClient) -> None:
    add(alice_api, "Tom's landlord is Igor. Igor lives in Oslo.")
    add(alice_api, "小明的老师是陈静，陈静住在杭州。")
    found = triples(graph(alice_api))
    assert {("Tom", "landlord", "Igor"), ("Igor", "lives_in", "Oslo")} <= found
    assert {("小明", "老师", "陈静"), ("陈静", "lives_in", "杭州")} <= found


@pytest.mark.parametrize(
    "said", ["Igor never worked at Siemens.", "Does Igor work at Siemens?", "伊万没在腾讯工作。"]
)
def test_what_is_denied_or_asked_relates_nothing(alice_api: APIClient, said: str) -> None:
    add(alice_api, said)
    assert graph(alice_api)["relations"] == []


def test_what_was_merely_said_relates_nothing(alice_api: APIClient) -> None:
    add(alice_api, "Igor works at Siemens, also known as Iggy.", layer="episodic")
    found = graph(alice_api, entity="Igor")
    assert names(found) == {"Igor", "Siemens", "Iggy"}
    assert found["relations"] == []


@pytest.mark.parametrize("said", ["My brother is Tom.", "The user's brother is Tom.", "我的哥哥是Tom。"])
def test_user_is_one_entity_however_called(alice_api: APIClient, said: str) -> None:
    add(alice_api, said)
    add(alice_api, "The user lives in Oslo.", subject="user", predicate="lives_in", object="Oslo")
    found = graph(alice_api, entity="me")
    assert names(found) == {"user", "Tom", "Oslo"}


def test_owners_relative_is_reached_through_the_role(alice_api: APIClient) -> None:
    triple = {"subject": "user's sister Anna", "predicate": "works_at", "object": "Siemens"}
    add(alice_api, "The user's sister Anna works at Siemens.", **triple)
    assert triples(graph(alice_api, entity="Anna")) == {
        ("user", "sister", "Anna"),
        ("Anna", "works_at", "Siemens"),
    }


def test_two_who_held_a_role_stay_two(alice_api: APIClient) -> None:
    role = {"subject": "user's manager", "predicate": "named"}
    add(alice_api, "The user's manager is Carla.", **role, object="Carla", valid_until="2020-01-01T00:00:00Z")
    add(alice_api, "The user's manager is Tomas.", **role, object="Tomas")
    both = graph(alice_api, entity="user", as_of="2019-01-01T00:00:00Z")
    assert {"Carla", "Tomas"} <= names(both)
    assert all(entity["aliases"] == [] for entity in both["entities"])


def test_aliases_stand_with_their_entity(alice_api: APIClient) -> None:
    add(alice_api, "Robert Smith, also known as Bob, plays the cello.")
    add(alice_api, "Bob lives in Oslo.")
    found = graph(alice_api, entity="BOB")
    entity = found["entities"][0]
    assert {entity["name"], *entity["aliases"]} == {"Robert Smith", "Bob"}
    assert entity["mentions"] == 2
    assert ("Oslo" in names(found)) is True


@pytest.mark.parametrize(
    ("said", "one", "other"),
    [
        ("The Memory Service (MS) answers.", "Memory Service", "MS"),
        ("李雷又叫小李。", "李雷", "小李"),
        ("Elizabeth goes by Liz.", "Elizabeth", "Liz"),
        ("Liz is short for Elizabeth.", "Elizabeth", "Liz"),
    ],
)
def test_stated_alias_is_found_under_either_name(
    alice_api: APIClient, said: str, one: str, other: str
) -> None:
    add(alice_api, said)
    assert graph(alice_api, entity=one)["entities"] == graph(alice_api, entity=other)["entities"] != []


def test_parentheses_that_are_no_acronym_merge_nothing(alice_api: APIClient) -> None:
    add(alice_api, "Maria Lopez (Berlin) called.")
    assert all(entity["aliases"] == [] for entity in graph(alice_api)["entities"])


def test_depth_widens_the_neighbourhood(alice_api: APIClient) -> None:
    add(alice_api, "Anna's sister is Maria.")
    add(alice_api, "Maria works at Siemens.")
    assert names(graph(alice_api, entity="Anna")) == {"Anna", "Maria"}
    wider = graph(alice_api, entity="Anna", depth=2)
    assert [(one["name"], one["distance"]) for one in wider["entities"]] == [
        ("Anna", 0),
        ("Maria", 1),
        ("Siemens", 2),
    ]


def test_entity_of_an_ended_memory_is_there_for_its_time_alone(alice_api: APIClient) -> None:
    period = {"valid_from": "2018-01-01T00:00:00Z", "valid_until": "2020-01-01T00:00:00Z"}
    add(alice_api, "Maria lives in Berlin.", **period)
    assert graph(alice_api) == {"entities": [], "relations": [], "more": False}
    assert names(graph(alice_api, as_of="2019-01-01T00:00:00Z")) == {"Maria", "Berlin"}


def test_most_spoken_of_come_first_and_the_rest_is_announced(alice_api: APIClient) -> None:
    for city in ("Oslo", "Rome", "Kyiv"):
        add(alice_api, f"Maria visited {city}.")
    found = graph(alice_api, limit=1)
    assert [(one["name"], one["mentions"]) for one in found["entities"]] == [("Maria", 3)]
    assert found["more"] is True


def test_forgotten_memory_takes_its_entities_out_of_sight(alice_api: APIClient) -> None:
    memory = add(alice_api, "Maria lives in Berlin.")["memory"]
    alice_api.delete(f"/api/memories/{memory['id']}")
    assert graph(alice_api)["entities"] == []
    assert graph(alice_api, entity="Maria")["entities"] == []


def test_name_nobody_spoke_of_gives_nothing(alice_api: APIClient) -> None:
    assert graph(alice_api, entity="Nobody") == {"entities": [], "relations": [], "more": False}


def test_another_owners_entity_is_not_found(alice_api: APIClient, bob_api: APIClient) -> None:
    add(alice_api, "Maria lives in Berlin.")
    entity = graph(alice_api)["entities"][0]["id"]
    assert alice_api.get(f"/api/memories/graph?entity={entity}").status_code == 200
    assert bob_api.get(f"/api/memories/graph?entity={entity}").status_code == 404
    assert graph(bob_api, entity="Maria")["entities"] == []


@pytest.mark.parametrize("entity", ["", "Maria"])
def test_graph_takes_at_most_three_statements(alice: User, entity: str) -> None:
    texts = [f"Maria visited City{number}." for number in range(30)]
    write_candidates([Candidate(text) for text in texts], owner=alice.pk, actor="test")
    with CaptureQueriesContext(connection) as queries:
        found = load_neighbourhood(entity, owner=alice.pk, depth=3)
    assert len(found.entities) == 31
    assert len(queries) <= 3


def test_placeholder_of_a_secret_is_no_entity(alice_api: APIClient) -> None:
    add(alice_api, "Falcon is deployed from Oslo every Friday with sk_live_4eC39HqLyjWDarjtT1zdp7dc.")
    assert names(graph(alice_api)) <= {"Falcon", "Oslo", "Friday"}
