"""Branches over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from memories.models import Memory
from memsite.jobs import run_due_jobs
from tests.api.test_threads import begin


def say(client: APIClient, thread: str, *texts: str) -> list[str]:
    """Append what the user says; ids."""
    messages = [{"role": "user", "content": text} for text in texts]
    response = client.post(f"/api/threads/{thread}/messages", {"messages": messages})
    return [message["id"] for message in response.json()["results"]]


def line(client: APIClient, thread: str, **query: str) -> list[str]:
    page = client.get(f"/api/threads/{thread}/messages", query).json()
    return [message["content"] for message in page["results"]]


def post(client: APIClient, thread: str, act: str, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
    response = client.post(f"/api/threads/{thread}/{act}", body)
    assert response.status_code == status, response.json()
    return dict(response.json())


def test_branch_checkout_and_back(alice_api: APIClient) -> None:
    thread = begin(alice_api)["id"]
    say(alice_api, thread, "a", "b")
    made = post(alice_api, thread, "branches", {"name": "idea"}, 201)
    assert made["name"] == "idea"
    assert post(alice_api, thread, "checkout", {"branch": "idea"})["branch"] == "idea"
    say(alice_api, thread, "c")
    assert line(alice_api, thread) == ["a", "b", "c"]
    assert line(alice_api, thread, branch="main") == ["a", "b"]


def test_time_travel_begins_a_branch_without_a_name(alice_api: APIClient) -> None:
    thread = begin(alice_api)["id"]
    first, _ = say(alice_api, thread, "a", "b")
    assert post(alice_api, thread, "checkout", {"message": first})["branch"] is None
    say(alice_api, thread, "x")
    branches = alice_api.get(f"/api/threads/{thread}/branches").json()["results"]
    assert [(branch["name"], branch["is_current"]) for branch in branches] == [("main", False), (None, True)]


@pytest.mark.parametrize(
    ("act", "body", "status"),
    [
        ("branches", {"name": "main"}, 409),
        ("branches", {"name": "a b"}, 400),
        ("branches", {}, 400),
        ("branches", {"name": "x", "colour": "red"}, 400),
        ("checkout", {}, 400),
        ("checkout", {"branch": "main", "message": "0190a0a0-0000-7000-8000-000000000000"}, 400),
        ("checkout", {"branch": "nowhere"}, 404),
        ("undo", {"count": 5}, 400),
        ("undo", {"count": 0}, 400),
    ],
)
def test_bad_wish_is_refused_and_changes_nothing(
    alice_api: APIClient, act: str, body: dict[str, Any], status: int
) -> None:
    thread = begin(alice_api)["id"]
    say(alice_api, thread, "a")
    assert alice_api.post(f"/api/threads/{thread}/{act}", body).status_code == status
    assert line(alice_api, thread) == ["a"]


def test_comparison_shows_both_sides(alice_api: APIClient) -> None:
    thread = begin(alice_api)["id"]
    say(alice_api, thread, "a")
    post(alice_api, thread, "branches", {"name": "idea"}, 201)
    say(alice_api, thread, "b")
    post(alice_api, thread, "checkout", {"branch": "idea"})
    say(alice_api, thread, "c", "d")
    found = alice_api.get(f"/api/threads/{thread}/compare", {"left": "main", "right": "idea"}).json()
    assert found["ancestor"]["content"] == "a"
    assert [found["left"]["count"], found["right"]["count"]] == [1, 2]


def test_deleted_branch_answers_what_went(alice_api: APIClient) -> None:
    thread = begin(alice_api)["id"]
    say(alice_api, thread, "a")
    post(alice_api, thread, "branches", {"name": "idea"}, 201)
    post(alice_api, thread, "checkout", {"branch": "idea"})
    say(alice_api, thread, "b")
    post(alice_api, thread, "checkout", {"branch": "main"})
    assert alice_api.delete(f"/api/threads/{thread}/branches/idea").json()["messages"] == 1
    assert alice_api.delete(f"/api/threads/{thread}/branches/main").status_code == 409


def contents_found(client: APIClient, query: str) -> str:
    found = client.post("/api/memories/search", {"query": query, "min_similarity": 0, "top_k": 50}).json()
    return " ".join(memory["content"] for memory in found["memories"])


@pytest.fixture
def left(alice_api: APIClient) -> str:
    """A thread whose user said "I live in Lima." and went back before that."""
    thread = begin(alice_api)["id"]
    say(alice_api, thread, "I have a dog called Rex.", "I live in Lima.")
    run_due_jobs()
    post(alice_api, thread, "undo", {"count": 1})
    return str(thread)


@pytest.mark.django_db(transaction=True)
def test_what_was_learnt_on_a_line_left_is_not_recalled(alice_api: APIClient, left: str) -> None:
    found = contents_found(alice_api, "where do I live, and my dog")
    assert "Rex" in found
    assert "Lima" not in found


@pytest.mark.django_db(transaction=True)
def test_what_was_learnt_is_seen_again_when_its_line_is_current(alice_api: APIClient, left: str) -> None:
    branches = alice_api.get(f"/api/threads/{left}/branches").json()["results"]
    unnamed = next(branch["id"] for branch in branches if branch["name"] is None)
    post(alice_api, left, "checkout", {"branch": unnamed})
    assert "Lima" in contents_found(alice_api, "where do I live")


@pytest.mark.django_db(transaction=True)
def test_kept_memory_is_seen_elsewhere_though_its_line_was_left(alice_api: APIClient, left: str) -> None:
    ids = [str(memory.pk) for memory in Memory.objects.filter(content__contains="Lima")]
    post(alice_api, left, "keep", {"memories": ids})
    assert "Lima" in contents_found(alice_api, "where do I live")


@pytest.mark.django_db(transaction=True)
def test_taking_back_tells_first_and_is_undone(alice_api: APIClient, left: str) -> None:
    branches = alice_api.get(f"/api/threads/{left}/branches").json()["results"]
    unnamed = next(branch["id"] for branch in branches if branch["name"] is None)
    told = post(alice_api, left, "take-back", {"branch": unnamed})
    assert told["memories"]
    assert told["batch_id"] is None
    taken = post(alice_api, left, "take-back", {"branch": unnamed, "dry_run": False})
    assert taken["memories"] == told["memories"]
    rows = Memory.objects.filter(content__contains="Lima")
    assert {memory.status for memory in rows} == {"forgotten"}
    assert alice_api.post("/api/memories/undo", {"batch_id": taken["batch_id"]}).status_code == 200
    assert {memory.status for memory in rows.all()} == {"active"}


@pytest.mark.django_db(transaction=True)
def test_branch_deleted_with_what_was_learnt_there(alice_api: APIClient, left: str) -> None:
    branches = alice_api.get(f"/api/threads/{left}/branches").json()["results"]
    unnamed = next(branch["id"] for branch in branches if branch["name"] is None)
    gone = alice_api.delete(f"/api/threads/{left}/branches/{unnamed}?take_back=true").json()
    assert gone["messages"] == 1
    assert {memory.status for memory in Memory.objects.filter(content__contains="Lima")} == {"forgotten"}


@pytest.mark.django_db(transaction=True)
def test_memory_of_another_cannot_be_kept(alice_api: APIClient, bob_api: APIClient, left: str) -> None:
    memory = Memory.objects.filter(content__contains="Lima").first()
    assert memory is not None
    thread = begin(bob_api)["id"]
    body = {"memories": [str(memory.pk)]}
    assert bob_api.post(f"/api/threads/{thread}/keep", body).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_list_shows_what_recall_hides_and_marks_it(alice_api: APIClient, left: str) -> None:
    listed = alice_api.get("/api/memories", {"page_size": 50}).json()["results"]
    marks = {memory["content"]: memory["on_left_branch"] for memory in listed}
    assert {mark for content, mark in marks.items() if "Lima" in content} == {True}
    assert {mark for content, mark in marks.items() if "Rex" in content} == {False}


@pytest.mark.django_db(transaction=True)
def test_page_marks_what_was_learnt_on_a_branch_left(
    alice_api: APIClient, alice_browser: Client, left: str
) -> None:
    page = alice_browser.get("/memories/", {"scope": "all"}).content.decode()
    assert "Lima" in page
    assert "On a branch you left" in page


def test_clients_own_id_is_the_address_of_its_message(alice_api: APIClient, bob_api: APIClient) -> None:
    thread = alice_api.post("/api/threads", {}).json()["id"]
    url = f"/api/threads/{thread}"
    said = [{"role": "user", "content": f"line {n}", "client_id": f"turn-{n}"} for n in ("a", "b", "c")]
    assert alice_api.post(f"{url}/messages", {"messages": said}).status_code == 201
    assert alice_api.get(f"{url}/messages/turn-b").json()["content"] == "line b"
    assert alice_api.post(f"{url}/branches", {"name": "other", "from_message": "turn-a"}).status_code == 201
    assert alice_api.post(f"{url}/checkout", {"message": "turn-b"}).status_code == 200
    shown = alice_api.get(f"{url}/messages", {"before": "turn-b"}).json()["results"]
    assert [one["content"] for one in shown] == ["line a"]
    assert alice_api.post(f"{url}/undo", {"message": "turn-a"}).status_code == 200
    assert alice_api.delete(f"{url}/messages/turn-c").status_code == 200
    assert alice_api.get(f"{url}/messages/turn-c").status_code == 404
    assert bob_api.get(f"{url}/messages/turn-b").status_code == 404


def test_own_id_comes_before_the_clients(alice_api: APIClient) -> None:
    thread = alice_api.post("/api/threads", {}).json()["id"]
    url = f"/api/threads/{thread}/messages"
    first = alice_api.post(url, {"messages": [{"role": "user", "content": "first"}]}).json()
    ours = first["results"][0]["id"]
    alice_api.post(url, {"messages": [{"role": "user", "content": "second", "client_id": ours}]})
    assert alice_api.get(f"{url}/{ours}").json()["content"] == "first"
