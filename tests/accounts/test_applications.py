"""An application's key acts for the application's own end users, and for nobody else's."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from memsite.accounts.applications import create_application
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from tests.api.asking import add, search
from tests.conftest import KeyClient


def _acting_for(owner: User, application: str, external_id: str | None = None) -> APIClient:
    made = owner.applications.filter(name=application).first() or create_application(owner, application)
    _, key = issue_key(owner, name=application, application=made)
    client = APIClient()
    client.default_format = "json"
    headers = {"HTTP_AUTHORIZATION": f"Bearer {key}"}
    client.credentials(**headers | ({"HTTP_MEMSITE_USER": external_id} if external_id else {}))
    return client


def test_end_user_is_made_on_first_use(alice: User) -> None:
    dora = _acting_for(alice, "diary", "dora")
    add(dora, "Dora keeps bees.")
    assert search(dora, "bees") == ["Dora keeps bees."]
    assert not User.objects.get(external_id="dora").has_usable_password()


def test_end_users_of_one_application_do_not_see_each_other(alice: User) -> None:
    add(_acting_for(alice, "diary", "dora"), "Dora keeps bees.")
    assert search(_acting_for(alice, "diary", "emil"), "bees") == []


def test_same_external_id_in_another_application_is_another_person(alice: User, bob: User) -> None:
    add(_acting_for(alice, "diary", "dora"), "Dora keeps bees.")
    assert search(_acting_for(alice, "notes", "dora"), "bees") == []
    assert search(_acting_for(bob, "diary", "dora"), "bees") == []


def test_application_key_without_the_header_acts_for_its_owner(alice: User, alice_api: APIClient) -> None:
    add(_acting_for(alice, "diary"), "Alice keeps bees.")
    assert search(alice_api, "bees") == ["Alice keeps bees."]


def test_answer_names_the_end_user_as_owner(alice: User) -> None:
    answer = _acting_for(alice, "diary", "dora").get("/api/memories")
    assert answer["Memsite-Owner"] == str(User.objects.get(external_id="dora").pk)


def test_plain_key_may_not_name_an_end_user(alice: User) -> None:
    _, key = issue_key(alice, name="plain")
    headers = {"Authorization": f"Bearer {key}", "Memsite-User": "dora"}
    assert Client().get("/api/memories", headers=headers).status_code == 400


@pytest.mark.parametrize("external_id", ["x" * 256, "a\tb"])
def test_external_id_that_cannot_be_used_is_refused(alice: User, external_id: str) -> None:
    assert _acting_for(alice, "diary", external_id).get("/api/memories").status_code == 400


def test_external_id_in_any_script_is_kept_as_it_is(alice: User) -> None:
    client = _acting_for(alice, "diary", "小明".encode().decode("latin-1"))
    assert client.get("/api/memories").status_code == 200
    assert User.objects.filter(external_id="小明").exists()


def test_deactivated_end_user_is_turned_away(alice: User) -> None:
    client = _acting_for(alice, "diary", "dora")
    client.get("/api/memories")
    User.objects.filter(external_id="dora").update(is_active=False)
    assert client.get("/api/memories").status_code == 403


def test_key_that_may_only_read_makes_no_end_user(alice: User) -> None:
    add(_acting_for(alice, "diary", "dora"), "Dora keeps bees.")
    application = alice.applications.get(name="diary")
    _, key = issue_key(alice, name="reader", application=application, scopes=["read"])
    asked = {who: {"Authorization": f"Bearer {key}", "Memsite-User": who} for who in ("dora", "emil")}
    assert Client().get("/api/memories", headers=asked["dora"]).status_code == 200
    assert Client().get("/api/memories", headers=asked["emil"]).status_code == 404
    assert not User.objects.filter(external_id="emil").exists()


def test_end_user_cannot_be_given_keys(alice: User) -> None:
    application = create_application(alice, "diary")
    _, key = issue_key(alice, name="diary", application=application, scopes=["admin"])
    headers = {"Authorization": f"Bearer {key}", "Memsite-User": "dora"}
    answer = Client().post("/api/keys", {"name": "x"}, content_type="application/json", headers=headers)
    assert answer.status_code == 403


def test_settings_of_an_application_are_changed_by_a_key_of_admin(alice: User, client_of: KeyClient) -> None:
    row = create_application(alice, "Open WebUI")
    client = client_of(alice, scopes=("admin",))
    changes = {"headers": ["x-openwebui-user-jwt"], "token_secret": "very secret", "require_user": True}
    answer = client.patch(f"/api/applications/{row.pk}", changes).json()
    assert answer == client.get("/api/applications").json()["results"][0]
    assert (answer["headers"], answer["has_token_secret"]) == (["x-openwebui-user-jwt"], True)
    row.refresh_from_db()
    assert "very secret" not in (row.token_secret, str(answer))
    assert row.require_user


@pytest.mark.parametrize(
    "changes",
    [
        {"headers": ["cookie"]},
        {"user_header": "Authorization"},
        {"user_header": "a b"},
        {"token_secret": "x" * 501},
    ],
)
def test_settings_that_cannot_be_are_refused(
    alice: User, client_of: KeyClient, changes: dict[str, object]
) -> None:
    row = create_application(alice, "Open WebUI")
    response = client_of(alice, scopes=("admin",)).patch(f"/api/applications/{row.pk}", changes)
    assert response.status_code == 400
