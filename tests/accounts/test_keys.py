"""Keys: issued once, recognised in one query, useless when revoked, expired or altered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings
from rest_framework.test import APIClient

from memsite.accounts.keys import issue_key, recognise_key, revoke_key
from memsite.accounts.models import ApiKey, User
from memsite.errors import Conflict, InvalidInput, NotAuthenticated
from tests.conftest import KeyClient


def _status(key: str, path: str = "/api/memories") -> int:
    return Client().get(path, headers={"Authorization": f"Bearer {key}"}).status_code


def test_key_opens_the_api(alice: User) -> None:
    _, key = issue_key(alice, name="notebook")
    assert _status(key) == 200


def test_key_itself_is_not_stored(alice: User) -> None:
    row, key = issue_key(alice, name="notebook")
    stored = ApiKey.objects.filter(owner=alice).values_list("prefix", "digest").get()
    assert key not in str(stored)
    assert key.startswith(f"msk_{row.prefix}_")


@pytest.mark.parametrize(
    "change", [lambda k: k[:-1], lambda k: k + "x", lambda k: k.upper(), lambda _: "", lambda _: "msk__"]
)
def test_altered_key_is_turned_away(alice: User, change: Callable[[str], str]) -> None:
    _, key = issue_key(alice, name="notebook")
    assert _status(change(key)) == 401


def test_revoked_key_is_turned_away_at_once(alice: User) -> None:
    row, key = issue_key(alice, name="notebook")
    revoke_key(str(row.pk), owner=alice)
    assert _status(key) == 401


def test_expired_key_is_turned_away(alice: User) -> None:
    row, key = issue_key(alice, name="notebook", expires_at=timezone.now() + timedelta(days=1))
    ApiKey.objects.filter(owner=alice, pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert _status(key) == 401


def test_key_of_a_deactivated_person_is_turned_away(alice: User) -> None:
    _, key = issue_key(alice, name="notebook")
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert _status(key) == 401


def test_key_that_expires_in_the_past_is_not_issued(alice: User) -> None:
    with pytest.raises(InvalidInput):
        issue_key(alice, name="late", expires_at=timezone.now() - timedelta(days=1))


def test_recognising_a_key_is_one_query(
    alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _, key = issue_key(alice, name="notebook")
    recognise_key(key)
    with django_assert_num_queries(1):
        assert recognise_key(key).owner.username == "alice"


def test_whatever_is_wrong_is_said_in_the_same_words(alice: User) -> None:
    row, key = issue_key(alice, name="notebook")
    revoke_key(str(row.pk), owner=alice)
    words = set()
    for candidate in (key, key + "x", "msk_000000000000_x", "nonsense"):
        with pytest.raises(NotAuthenticated) as caught:
            recognise_key(candidate)
        words.add(caught.value.message)
    assert len(words) == 1


def test_reading_key_may_not_write(alice: User, client_of: Callable[..., APIClient]) -> None:
    reader = client_of(alice, scopes=["read"])
    assert reader.get("/api/memories").status_code == 200
    assert reader.post("/api/memories/search", {"query": "anything"}).status_code == 200
    refused = reader.post("/api/memories", {"content": "x"})
    assert refused.status_code == 403
    assert refused.json()["detail"] == {"scope": "write"}


def test_keys_are_managed_with_the_admin_scope_alone(
    alice: User, alice_api: APIClient, client_of: Callable[..., APIClient]
) -> None:
    assert alice_api.post("/api/keys", {"name": "more"}).status_code == 403
    issued = client_of(alice, scopes=["admin"]).post("/api/keys", {"name": "more", "scopes": ["read"]})
    assert issued.status_code == 201
    assert _status(issued.json()["key"]) == 200


def test_listed_keys_do_not_show_themselves(alice: User, client_of: Callable[..., APIClient]) -> None:
    answer = client_of(alice, scopes=["admin"]).get("/api/keys").json()
    assert [set(row) & {"key", "digest"} for row in answer["results"]] == [set()]


def test_key_that_expires_past_the_calendar_is_not_issued(
    alice: User, client_of: Callable[..., APIClient]
) -> None:
    client = client_of(alice, scopes=["admin"])
    body = {"name": "far", "expires_at": "9999-12-31T23:59:59-14:00"}
    assert client.post("/api/keys", body).status_code == 400
    assert client.get("/api/keys").status_code == 200


BLANK = ("", "   ", "\t\n", "\u200b\u200d\ufeff", "\u00a0\u3164", "\u2800", "\u0301")


@pytest.mark.parametrize("name", BLANK)
def test_key_with_a_name_that_nobody_can_see_is_refused(alice: User, client_of: KeyClient, name: str) -> None:
    refused = client_of(alice, scopes=["admin"]).post("/api/keys", {"name": name})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert "name" in refused.json()["detail"]


@pytest.mark.parametrize("name", BLANK[1:])
def test_application_with_a_name_that_nobody_can_see_is_refused(
    alice: User, client_of: KeyClient, name: str
) -> None:
    client = client_of(alice, scopes=["admin"])
    assert client.post("/api/keys", {"name": "shop", "application": name}).status_code == 400
    assert not alice.applications.exists()


def test_key_that_is_refused_leaves_no_application_behind(alice: User, client_of: KeyClient) -> None:
    late = {"name": "shop", "application": "shop", "expires_at": "2020-01-01T00:00:00Z"}
    assert client_of(alice, scopes=["admin"]).post("/api/keys", late).status_code == 400
    assert not alice.applications.exists()


def test_name_is_kept_without_the_spaces_around_it(alice: User) -> None:
    row, _ = issue_key(alice, name="  我的笔记本 ✨ ")
    assert row.name == "我的笔记本 ✨"


def test_person_with_too_many_keys_must_revoke_one(alice: User, settings: Settings) -> None:
    settings.MEMSITE_MAX_KEYS = 2
    row, _ = issue_key(alice, name="first")
    issue_key(alice, name="second")
    with pytest.raises(Conflict):
        issue_key(alice, name="third")
    revoke_key(str(row.pk), owner=alice)
    assert issue_key(alice, name="third")


def test_secret_in_the_name_of_a_key_is_not_stored(alice: User) -> None:
    row, _key = issue_key(alice, name="laptop, password Limone!2024")
    assert row.name.startswith("laptop")
    assert "Limone" not in row.name
