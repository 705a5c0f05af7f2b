"""Coming in and going out."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from memsite.accounts import adapter
from memsite.accounts.invitations import invite
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences

FORM = {"username": "dana", "password1": "long-enough-9", "password2": "long-enough-9"}


def test_a_person_signs_in_by_name(alice: User, client: Client) -> None:
    response = client.post("/accounts/login/", {"login": "alice", "password": "alice-secret-1"})
    assert response["Location"] == "/"


def test_a_wrong_password_is_said_beside_the_form(alice: User, client: Client) -> None:
    response = client.post("/accounts/login/", {"login": "alice", "password": "wrong"})
    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()


def test_an_open_site_takes_anybody(client: Client, db: None) -> None:
    client.post("/accounts/signup/", FORM)
    assert User.objects.filter(username="dana").exists()


@pytest.mark.parametrize("signup", ["closed", "invitation"])
def test_a_closed_door_takes_nobody(client: Client, db: None, settings: Settings, signup: str) -> None:
    settings.MEMSITE_SIGNUP = signup
    assert "password1" not in client.get("/accounts/signup/").content.decode()
    client.post("/accounts/signup/", FORM)
    assert not User.objects.filter(username="dana").exists()


def test_an_invited_person_signs_up_once(alice: User, client: Client, settings: Settings) -> None:
    settings.MEMSITE_SIGNUP = "invitation"
    address = f"/accounts/signup/?invitation={invite(alice)}"
    assert "password1" in client.get(address).content.decode()
    client.post("/accounts/signup/", FORM)
    assert User.objects.filter(username="dana").exists()
    assert "password1" not in Client().get(address).content.decode()


def test_an_invitation_used_a_moment_ago_makes_no_account(
    alice: User, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMSITE_SIGNUP = "invitation"
    client.get(f"/accounts/signup/?invitation={invite(alice)}")
    monkeypatch.setattr(adapter, "redeem", lambda *_: False)
    assert client.post("/accounts/signup/", FORM).status_code == 409
    assert not User.objects.filter(username="dana").exists()


def test_the_chosen_language_comes_along(alice: User, client: Client) -> None:
    set_preferences(alice.pk, language="zh-hans")
    client.post("/accounts/login/", {"login": "alice", "password": "alice-secret-1"})
    assert '<html lang="zh-hans"' in client.get("/").content.decode()


def test_signing_out_needs_a_post(alice_browser: Client) -> None:
    alice_browser.get("/accounts/logout/")
    assert alice_browser.get("/memories/").status_code == 200
    alice_browser.post("/accounts/logout/")
    assert alice_browser.get("/memories/").status_code == 302
