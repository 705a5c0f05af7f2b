"""Who is calling, and the end users of one's own applications."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from uuid import UUID

import pytest
from django.db import connections
from django.test import Client
from rest_framework.test import APIClient

from memories.models import Memory
from memsite import jobs
from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.deletion import delete_person
from memsite.accounts.keys import issue_key
from memsite.accounts.models import Application, User
from tests.api.asking import add
from tests.conftest import KeyClient


@pytest.fixture
def diary(alice: User) -> Application:
    return create_application(alice, "diary")


def _client(
    application: Application, external_id: str = "", scopes: tuple[str, ...] = ("admin",)
) -> APIClient:
    _, key = issue_key(application.owner, name="diary", application=application, scopes=scopes)
    client = APIClient()
    client.default_format = "json"
    headers = {"HTTP_AUTHORIZATION": f"Bearer {key}"}
    client.credentials(**headers | ({"HTTP_MEMSITE_USER": external_id} if external_id else {}))
    return client


def _listed(client: APIClient, query: str = "") -> set[str]:
    return {row["external_id"] for row in client.get(f"/api/end-users{query}").json()["results"]}


def test_me_names_the_person_and_the_key(alice: User, alice_api: APIClient) -> None:
    me = alice_api.get("/api/me").json()
    assert (me["id"], me["kind"], me["username"]) == (str(alice.pk), "person", "alice")
    assert me["key"]["scopes"] == ["read", "write"]


def test_me_in_a_browser_has_no_key(alice_browser: Client) -> None:
    assert alice_browser.get("/api/me").json()["key"] is None


def test_me_names_the_end_user(diary: Application) -> None:
    me = _client(diary, "dora", ("read", "write")).get("/api/me").json()
    assert (me["kind"], me["application"], me["external_id"]) == ("end_user", "diary", "dora")


def test_end_users_are_those_of_the_keys_application(alice: User, diary: Application) -> None:
    get_end_user(diary, "dora")
    get_end_user(create_application(alice, "notes"), "emil")
    assert _listed(_client(diary)) == {"dora"}


def test_plain_key_lists_end_users_of_all_applications_of_its_owner(
    alice: User, bob: User, diary: Application, client_of: KeyClient
) -> None:
    get_end_user(diary, "dora")
    get_end_user(create_application(alice, "notes"), "emil")
    get_end_user(create_application(bob, "diary"), "fred")
    client = client_of(alice, scopes=("admin",))
    assert _listed(client) == {"dora", "emil"}
    assert _listed(client, "?application=notes") == {"emil"}
    assert _listed(client, "?external_id=dora") == {"dora"}


def test_deleted_end_user_is_gone_with_all_memories(diary: Application) -> None:
    add(_client(diary, "dora", ("read", "write")), "Dora keeps bees.")
    dora = get_end_user(diary, "dora")
    assert _client(diary).delete(f"/api/end-users/{dora.pk}").json()["external_id"] == "dora"
    assert not User.objects.filter(pk=dora.pk).exists()
    assert not Memory.objects.filter(owner=dora.pk).exists()


def test_end_user_of_another_application_is_not_deleted(alice: User, diary: Application) -> None:
    emil = get_end_user(create_application(alice, "notes"), "emil")
    assert _client(diary).delete(f"/api/end-users/{emil.pk}").status_code == 404
    assert User.objects.filter(pk=emil.pk).exists()


def test_end_users_need_the_scope_admin(diary: Application) -> None:
    assert _client(diary, scopes=("read", "write")).get("/api/end-users").status_code == 403


def test_person_is_not_deleted_as_an_end_user(alice: User, diary: Application) -> None:
    assert _client(diary).delete(f"/api/end-users/{alice.pk}").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_end_user_who_comes_while_the_account_is_deleted_is_refused(
    alice: User, diary: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say() -> int:
        try:
            return client.post("/api/memories", {"content": "Emil keeps bees."}).status_code
        finally:
            connections.close_all()

    def delete_jobs_of(owner: UUID) -> int:  # all end users are listed by now
        if not answers:
            answers.append(pool.submit(say))
            wait(answers, timeout=0.5)  # it must wait for the deletion
        return delete(owner)

    client, delete = _client(diary, "emil", ("read", "write")), jobs.delete_jobs_of
    answers: list[Future[int]] = []
    monkeypatch.setattr(jobs, "delete_jobs_of", delete_jobs_of)
    with ThreadPoolExecutor(1) as pool:
        delete_person(alice)
    assert answers[0].result() == 404
    assert not User.objects.exists()
