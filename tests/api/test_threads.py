"""Threads over HTTP: begin, list, change, close, delete."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from memsite.accounts.models import User
from threads.messages.transcript import create_thread
from threads.models import Message, Thread

UNKNOWN = "0190a0a0-0000-7000-8000-000000000000"


def begin(client: APIClient, **fields: Any) -> dict[str, Any]:
    response = client.post("/api/threads", fields)
    assert response.status_code == 201, response.json()
    return dict(response.json())


def test_begun_thread_is_answered_with_every_field(alice: User, alice_api: APIClient) -> None:
    thread = begin(alice_api, title="Boats", system_prompt="Be brief.", metadata={"from": "shop"})
    assert thread == alice_api.get(f"/api/threads/{thread['id']}").json()
    assert {
        name: thread[name] for name in ("title", "system_prompt", "is_temporary", "metadata", "branch")
    } == {
        "title": "Boats",
        "system_prompt": "Be brief.",
        "is_temporary": False,
        "metadata": {"from": "shop"},
        "branch": "main",
    }
    assert thread["owner"] == str(alice.pk)


def test_thread_needs_no_field(alice_api: APIClient) -> None:
    assert begin(alice_api)["title"] == ""


@pytest.mark.parametrize(
    "body",
    [
        {"headline": "x"},
        {"title": 7},
        {"title": None},
        {"title": "x" * 201},
        {"title": "a\x00b"},
        {"system_prompt": "x" * 200_001},
        {"metadata": []},
        {"metadata": {"a": "b\x00"}},
        {"metadata": {"a": "x" * 100_001}},
        {"is_temporary": "perhaps"},
        [],
    ],
)
def test_thread_that_cannot_be_is_refused(alice_api: APIClient, body: object) -> None:
    response = alice_api.post("/api/threads", body)
    assert response.status_code == 400
    assert set(response.json()) == {"code", "message", "detail"}


def test_infinite_number_in_metadata_is_refused(alice_api: APIClient) -> None:
    raw = '{"metadata": {"a": 1e999}}'
    response = alice_api.generic("POST", "/api/threads", raw, content_type="application/json")
    assert response.status_code == 400


def test_list_has_the_last_changed_first_and_pages(alice_api: APIClient) -> None:
    ids = [begin(alice_api, title=str(number))["id"] for number in range(3)]
    alice_api.patch(f"/api/threads/{ids[0]}", {"title": "changed"})
    first = alice_api.get("/api/threads?page_size=2").json()
    second = alice_api.get(first["next"]).json()
    assert [one["id"] for one in first["results"] + second["results"]] == [ids[0], ids[2], ids[1]]
    assert second["next"] is None


def test_list_can_leave_out_temporary_threads(alice_api: APIClient) -> None:
    begin(alice_api, is_temporary=True)
    kept = begin(alice_api)["id"]
    listed = alice_api.get("/api/threads?is_temporary=false").json()
    assert [one["id"] for one in listed["results"]] == [kept]


def test_queries_of_the_list_do_not_grow_with_it(
    alice: User, alice_api: APIClient, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(30):
        create_thread(owner=alice.pk, title=str(number))
    with django_assert_max_num_queries(3):
        alice_api.get("/api/threads?page_size=30")


@pytest.mark.parametrize("query", ["page_size=0", "page_size=201", "cursor=x", "sort=title", "wish=1"])
def test_list_refuses_what_it_does_not_know(alice_api: APIClient, query: str) -> None:
    assert alice_api.get(f"/api/threads?{query}").status_code == 400


def test_fields_change_one_by_one(alice_api: APIClient) -> None:
    thread = begin(alice_api, title="Boats", system_prompt="Be brief.")
    changed = alice_api.patch(f"/api/threads/{thread['id']}", {"metadata": {"a": 1}}).json()
    assert changed | {"metadata": {}, "updated_at": ""} == thread | {"updated_at": ""}
    assert changed["metadata"] == {"a": 1}


@pytest.mark.parametrize("body", [{"is_temporary": True}, {"title": None}, {"owner": UNKNOWN}])
def test_change_that_cannot_be_is_refused(alice_api: APIClient, body: dict[str, Any]) -> None:
    thread = begin(alice_api)
    assert alice_api.patch(f"/api/threads/{thread['id']}", body).status_code == 400


def test_deleted_thread_is_gone(alice_api: APIClient) -> None:
    path = f"/api/threads/{begin(alice_api)['id']}"
    alice_api.post(f"{path}/messages", {"role": "user", "content": "hello"})
    assert alice_api.delete(path).json() == {"messages": 1, "forgotten": [], "batch_id": None}
    assert alice_api.get(path).status_code == 404
    assert not Thread.objects.exists()


def test_closed_temporary_thread_has_no_messages(alice_api: APIClient) -> None:
    path = f"/api/threads/{begin(alice_api, is_temporary=True)['id']}"
    alice_api.post(f"{path}/messages", {"role": "user", "content": "hello"})
    closed = alice_api.post(f"{path}/close")
    assert closed.status_code == 200
    assert closed.json()["closed_at"] is not None
    assert not Message.objects.exists()
    assert alice_api.post(f"{path}/messages", {"role": "user", "content": "hello"}).status_code == 409


ENDPOINTS = [
    ("get", "", None),
    ("patch", "", {"title": "mine"}),
    ("delete", "", None),
    ("post", "/close", None),
    ("post", "/extract", {}),
    ("post", "/context", {"input": "hello"}),
    ("get", "/messages", None),
    ("post", "/messages", {"role": "user", "content": "hello"}),
    ("delete", "/messages", None),
    ("get", "/messages/count", None),
    ("get", "/messages/{message}", None),
    ("patch", "/messages/{message}", {"do_not_remember": True}),
    ("delete", "/messages/{message}", None),
]


def paths_of(client: APIClient) -> tuple[str, str]:
    path = f"/api/threads/{begin(client)['id']}"
    message = client.post(f"{path}/messages", {"role": "user", "content": "hello"}).json()
    return path, message["id"]


@pytest.mark.parametrize(("method", "rest", "body"), ENDPOINTS)
def test_nobody_elses_thread_is_there(
    alice_api: APIClient, charlie_api: APIClient, method: str, rest: str, body: dict[str, Any] | None
) -> None:
    path, message = paths_of(alice_api)
    response = getattr(charlie_api, method)(path + rest.format(message=message), body)
    assert response.status_code == 404
    assert alice_api.get(f"{path}/messages/count").json()["count"] == 1


@pytest.mark.parametrize(("method", "rest", "body"), ENDPOINTS)
@pytest.mark.parametrize("thread", [UNKNOWN, "none", "%00", "1"])
def test_unknown_thread_is_not_found(
    alice_api: APIClient, method: str, rest: str, body: dict[str, Any] | None, thread: str
) -> None:
    path = f"/api/threads/{thread}" + rest.format(message=UNKNOWN)
    assert getattr(alice_api, method)(path, body).status_code == 404


@pytest.mark.parametrize(("method", "rest", "body"), ENDPOINTS)
def test_key_that_only_reads_changes_nothing(
    alice: User,
    alice_api: APIClient,
    client_of: Any,
    method: str,
    rest: str,
    body: dict[str, Any] | None,
) -> None:
    path, message = paths_of(alice_api)
    response = getattr(client_of(alice, ("read",)), method)(path + rest.format(message=message), body)
    reads = method == "get" or rest == "/context"
    assert response.status_code == (200 if reads else 403)


def test_external_id_is_in_every_rendering_and_filters_the_list(alice_api: APIClient) -> None:
    begin(alice_api)
    thread = begin(alice_api, external_id="chat-7")
    assert thread["external_id"] == "chat-7"
    [found] = alice_api.get("/api/threads?external_id=chat-7").json()["results"]
    assert found == alice_api.get(f"/api/threads/{thread['id']}").json() == thread
    assert alice_api.get("/api/threads?external_id=chat-8").json()["results"] == []


def test_second_thread_with_an_external_id_is_the_first_one(alice_api: APIClient) -> None:
    first = begin(alice_api, external_id="chat-7", title="Boats")
    again = alice_api.post("/api/threads", {"external_id": "chat-7", "title": "Other"})
    assert (again.status_code, again.json()) == (200, first)


def test_another_owner_may_use_the_same_external_id(alice_api: APIClient, bob_api: APIClient) -> None:
    first, second = begin(alice_api, external_id="chat-7"), begin(bob_api, external_id="chat-7")
    assert first["id"] != second["id"]


def test_creations_at_once_end_in_one_thread(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    first = create_thread(owner=alice.pk, external_id="chat-7")
    answers = iter([None, first])
    monkeypatch.setattr("threads.messages.transcript._find_thread", lambda *_, **__: next(answers))
    assert create_thread(owner=alice.pk, external_id="chat-7") == first


@pytest.mark.parametrize("external_id", ["", "x" * 201, "a\x00b", "a\nb", 7])
def test_external_id_that_cannot_be_is_refused(alice_api: APIClient, external_id: object) -> None:
    assert alice_api.post("/api/threads", {"external_id": external_id}).status_code == 400


def test_secret_in_a_given_title_is_not_stored(alice_api: APIClient) -> None:
    thread = alice_api.post("/api/threads", {"title": "my wifi password is Limone!2024"}).json()
    assert "Limone" not in thread["title"]
    changed = alice_api.patch(f"/api/threads/{thread['id']}", {"title": "the password is Cerise!92x"}).json()
    assert "Cerise" not in changed["title"]
    assert not Thread.objects.filter(title__contains="Cerise").exists()
