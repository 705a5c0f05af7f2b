"""The graph over HTTP: its shape, its bounds, its two times, and whose it is."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.asking import add

GRAPH = "/api/memories/graph"
NOTHING = {"entities": [], "relations": [], "more": False}


def _graph(client: APIClient, **query: Any) -> dict[str, Any]:
    response = client.get(GRAPH, query)
    assert response.status_code == 200, response.json()
    return dict(response.json())


def _names(found: dict[str, Any]) -> set[str]:
    return {entity["name"] for entity in found["entities"]}


def _moved(client: APIClient) -> dict[str, Any]:
    """Maria's home as first written, put right to Oslo since."""
    old = add(client, "Maria lives in Berlin.")["memory"]
    path = f"/api/memories/{old['id']}"
    response = client.patch(path, {"content": "Maria lives in Oslo."})
    assert response.status_code == 200, response.json()
    return dict(old)


def test_answer_has_entities_relations_and_whether_there_is_more(alice_api: APIClient) -> None:
    memory = add(alice_api, "Maria works at Siemens.")["memory"]
    found = _graph(alice_api, entity="Maria")
    ids = {entity["name"]: entity["id"] for entity in found["entities"]}
    assert found == {
        "entities": [
            {"id": ids["Maria"], "name": "Maria", "aliases": [], "mentions": 1, "distance": 0},
            {"id": ids["Siemens"], "name": "Siemens", "aliases": [], "mentions": 1, "distance": 1},
        ],
        "relations": [
            {
                "subject": "Maria", "predicate": "works_at", "object": "Siemens",
                "subject_id": ids["Maria"], "object_id": ids["Siemens"],
                "memory": memory["id"], "valid_from": None, "valid_until": None,
            }
        ],
        "more": False,
    }  # fmt: skip


@pytest.mark.parametrize(("depth", "reached"), [(1, {"Anna", "Maria"}), (2, {"Anna", "Maria", "Siemens"})])
def test_depth_is_how_many_steps_are_taken(alice_api: APIClient, depth: int, reached: set[str]) -> None:
    add(alice_api, "Anna's sister is Maria.")
    add(alice_api, "Maria works at Siemens.")
    assert _names(_graph(alice_api, entity="Anna", depth=depth)) == reached


def test_as_of_gives_the_graph_of_that_time_in_the_world(alice_api: APIClient) -> None:
    add(
        alice_api,
        "Maria lives in Berlin.",
        valid_from="2018-01-01T00:00:00Z",
        valid_until="2020-01-01T00:00:00Z",
    )
    assert _graph(alice_api, entity="Maria") == NOTHING
    assert _names(_graph(alice_api, entity="Maria", as_of="2019-01-01T00:00:00Z")) == {"Maria", "Berlin"}


def test_believed_at_gives_the_graph_as_it_was_known(alice_api: APIClient) -> None:
    old = _moved(alice_api)
    assert _names(_graph(alice_api, entity="Maria")) == {"Maria", "Oslo"}
    assert _names(_graph(alice_api, entity="Maria", believed_at=old["created_at"])) == {"Maria", "Berlin"}


def test_nothing_was_known_before_anything_was_written(alice_api: APIClient) -> None:
    add(alice_api, "Maria lives in Berlin.")
    assert _graph(alice_api, entity="Maria", believed_at="2020-01-01T00:00:00Z") == NOTHING


def test_name_nobody_spoke_of_gives_nothing(alice_api: APIClient) -> None:
    add(alice_api, "Maria lives in Berlin.")
    assert _graph(alice_api, entity="Nobody") == NOTHING


def test_id_of_anothers_entity_is_not_found(alice_api: APIClient, bob_api: APIClient) -> None:
    add(alice_api, "Maria lives in Berlin.")
    (maria, *_) = _graph(alice_api, entity="Maria")["entities"]
    assert bob_api.get(GRAPH, {"entity": maria["id"]}).status_code == 404
    assert _graph(bob_api, entity="Maria") == NOTHING


@pytest.mark.parametrize(
    "query",
    [
        "depth=0",
        "depth=4",
        "depth=two",
        "limit=0",
        "limit=501",
        "as_of=soon",
        "believed_at=never",
        "nonsense=1",
    ],
)
def test_parameter_out_of_range_is_refused(alice_api: APIClient, query: str) -> None:
    assert alice_api.get(f"{GRAPH}?{query}").status_code == 400
