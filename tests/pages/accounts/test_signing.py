"""Coming in and going out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any, cast

import pytest
import time_machine
from allauth.account.adapter import DefaultAccountAdapter
from django.core.mail import EmailMessage
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from memories.models import Memory
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.accounts.signing import adapter
from memsite.accounts.signing.invitations import create_invitation, find_invitation, first_account_message
from tests.pages.conftest import Remember, Say

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
    address = f"/accounts/signup/?invitation={create_invitation(alice)}"
    assert "password1" in client.get(address).content.decode()
    client.post("/accounts/signup/", FORM)
    assert User.objects.filter(username="dana").exists()
    assert "password1" not in Client().get(address).content.decode()


def _printed_link() -> str:
    message = first_account_message("") or ""
    return message.split()[-1]


def test_the_printed_link_makes_the_administrator_on_default_settings(client: Client, db: None) -> None:
    assert "administer" in client.get(_printed_link()).content.decode()
    client.post("/accounts/signup/", FORM)
    dana = User.objects.get(username="dana")
    assert (dana.is_staff, dana.is_superuser) == (True, True)
    assert client.get("/admin/").status_code == 200


def test_the_printed_link_works_after_a_stranger_signed_up(client: Client, db: None) -> None:
    link = _printed_link()
    Client().post("/accounts/signup/", {**FORM, "username": "stranger"})
    client.get(link)
    client.post("/accounts/signup/", FORM)
    assert User.objects.get(username="dana").is_superuser


@pytest.mark.parametrize("signup", ["open", "invitation", "closed"])
def test_a_void_link_says_so(client: Client, db: None, settings: Settings, signup: str) -> None:
    settings.MEMSITE_SIGNUP = signup
    page = client.get("/accounts/signup/?invitation=no-such-code").content.decode()
    assert "This invitation no longer works" in page
    assert ("password1" in page) == (signup == "open")


def test_an_invitation_void_by_now_makes_no_ordinary_account_unasked(client: Client, db: None) -> None:
    client.get(_printed_link())
    User.objects.create_superuser("erik")
    page = client.post("/accounts/signup/", FORM).content.decode()
    assert "This invitation no longer works" in page
    assert not User.objects.filter(username="dana").exists()
    client.post("/accounts/signup/", FORM)
    assert not User.objects.get(username="dana").is_staff


def test_a_signed_in_person_is_told_to_sign_out_before_the_link(alice_browser: Client) -> None:
    page = alice_browser.get(_printed_link(), follow=True).content.decode()
    assert "You are signed in as alice" in page
    assert find_invitation(_printed_link().rpartition("=")[2]) is not None


def test_an_invitation_used_a_moment_ago_makes_no_account(
    alice: User, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMSITE_SIGNUP = "invitation"
    client.get(f"/accounts/signup/?invitation={create_invitation(alice)}")
    monkeypatch.setattr(adapter, "redeem_invitation", lambda *_: False)
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


@pytest.mark.parametrize("second", [{"username": "dana"}, {"username": "dora", "email": "Dana@example.org"}])
def test_of_two_sign_ups_at_once_one_gets_the_form_again(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, second: dict[str, str]
) -> None:
    both_valid, save = Barrier(2), DefaultAccountAdapter.save_user

    def together(*args: Any) -> User:
        both_valid.wait(10)
        return cast("User", save(*args))

    def sign_up(fields: dict[str, str]) -> HttpResponse:
        try:
            return Client().post("/accounts/signup/", {**FORM, **fields})  # type: ignore[return-value]  # the test client's own kind
        finally:
            connection.close()

    monkeypatch.setattr(DefaultAccountAdapter, "save_user", together)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(sign_up, [{"email": "dana@example.org"}, second]))
    assert sorted(answer.status_code for answer in answers) == [200, 302]
    assert any("errorlist" in answer.content.decode() for answer in answers)
    assert User.objects.count() == 1


@pytest.mark.parametrize(("smtp", "said"), [("", "its log"), ("smtp://mail.example.org", "comes there")])
def test_who_forgot_the_password_is_told_where_the_link_goes(
    client: Client, db: None, settings: Settings, smtp: str, said: str
) -> None:
    settings.MEMSITE_SMTP_URL = smtp
    assert said in client.get("/accounts/password/reset/").content.decode()


def test_a_link_for_a_new_password_is_mailed(
    client: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")
    client.post("/accounts/password/reset/", {"email": "alice@example.org"}, follow=True)
    assert mailoutbox[0].subject.startswith("[Memsite]")
    assert "/accounts/password/reset/key/" in mailoutbox[0].body


def test_the_first_field_says_that_it_takes_a_name_or_an_address(client: Client, db: None) -> None:
    page = client.get("/accounts/login/").content.decode()
    assert '<label for="id_login">Username or email</label>' in page
    assert 'autocomplete="username"' in page


def test_a_short_password_is_explained_in_chinese(client: Client, db: None) -> None:
    form = FORM | {"password1": "x7-", "password2": "x7-"}
    response = client.post("/accounts/signup/", form, headers={"accept-language": "zh-CN"})
    assert "密码太短，至少要有 8 个字符。" in response.content.decode()


LOGIN = {"login": "alice", "password": "alice-secret-1"}


def test_a_form_posted_while_signed_out_is_filled_in_after_signing_in(alice: User, client: Client) -> None:
    typed = {"content": "I keep bees.", "kind": "semantic:goal", "category": "", "tags": "garden"}
    place = client.post("/memories/add/", typed)["Location"]
    assert place == "/accounts/login/?next=/memories/add/"
    page = client.get(client.post(place, LOGIN | {"next": "/memories/add/"})["Location"]).content.decode()
    assert "I keep bees.</textarea>" in page
    assert '<option value="semantic:goal" selected>' in page
    assert 'value="garden"' in page
    assert "I keep bees." not in client.get("/memories/add/").content.decode()
    assert not Memory.objects.exists()


def test_a_changed_memory_posted_while_signed_out_is_filled_in_after_signing_in(
    alice: User, client: Client, remembered: Remember
) -> None:
    address = f"/memories/{remembered(alice, 'I keep bees.').pk}/edit/"
    client.post(address, {"content": "I keep goats."})
    client.post("/accounts/login/", LOGIN)
    assert "I keep goats.</textarea>" in client.get(address).content.decode()


def test_a_message_posted_while_signed_out_is_in_the_field_of_its_thread(
    alice: User, client: Client, thread_saying: Say
) -> None:
    page = f"/threads/{thread_saying(alice, 'Hi').pk}/"
    place = client.post(f"{page}say/", {"content": "And now?"})["Location"]
    assert place == f"/accounts/login/?next={page}"
    client.post("/accounts/login/", LOGIN)
    assert "And now?</textarea>" in client.get(page).content.decode()


def test_a_form_posted_long_ago_is_not_filled_in(alice: User, client: Client) -> None:
    with time_machine.travel(datetime.now(UTC) - timedelta(hours=2), tick=True):
        client.post("/memories/tell/", {"statement": "I keep bees."})
    client.post("/accounts/login/", LOGIN)
    assert "I keep bees." not in client.get("/memories/tell/").content.decode()


def test_a_part_of_a_page_goes_to_the_sign_in_page_as_a_whole(client: Client, db: None) -> None:
    answer = client.post("/memories/tell/", {"statement": "I keep bees."}, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == "/accounts/login/?next=/memories/tell/"


def test_who_has_just_signed_in_is_not_asked_for_the_password_again(alice: User, client: Client) -> None:
    client.post("/accounts/login/", LOGIN)
    changed = client.post("/settings/account/name/", {"username": "alicia"})
    assert not changed["Location"].startswith("/accounts/reauthenticate/")
    alice.refresh_from_db()
    assert alice.username == "alicia"


def test_password_is_asked_for_again_minutes_after_signing_in(alice: User, client: Client) -> None:
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False):
        client.post("/accounts/login/", LOGIN)
    with time_machine.travel("2026-03-01T12:06:00Z", tick=False):
        asked = client.post("/settings/account/name/", {"username": "alicia"})
    assert asked["Location"].startswith("/accounts/reauthenticate/")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Please wait a minute"), ("zh-hans", "请等一分钟后再试")]
)
@pytest.mark.django_db
def test_too_many_tries_are_answered_by_a_page_that_says_when_to_try_again(
    client: Client, settings: Settings, language: str, said: str
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    for _ in range(2):
        response = client.post(
            "/accounts/login/",
            {"login": "alice", "password": "not-the-secret"},
            headers={"Accept-Language": language},
        )
    page = response.content.decode()
    assert response.status_code == 429
    assert response["Retry-After"] == "60"
    assert said in page
    assert "Memsite" in page
    assert ">alice</textarea>" in page
    assert "not-the-secret" not in page
