"""Settings → Account: name, language, sessions."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memsite.accounts.models import AuditEntry, User
from memsite.accounts.preferences import get_preferences
from memsite.accounts.signing.sessions import describe_device

PAGE = "/settings/account/"
NAME = "/settings/account/name/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/129.0.0.0 Safari/537.36 Edg/129.0.0.0"
)


def sign_in(agent: str, name: str = "alice") -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", {"login": name, "password": f"{name}-secret-1"})
    return client


def shown(client: Client) -> str:
    return client.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (FIREFOX, "Firefox on Linux"),
        (SAFARI, "Safari on iPhone"),
        (EDGE, "Edge on Windows"),
        ("curl/8.9", "curl/8.9"),
        ("", "Unknown browser"),
    ],
)
def test_devices_are_named_in_words(agent: str, device: str) -> None:
    assert describe_device(agent) == device


def test_sessions_are_listed_with_the_present_one_first(alice: User) -> None:
    first = sign_in(FIREFOX)
    sign_in(SAFARI)
    page = shown(first).partition('id="sessions-title"')[2]
    assert page.index("Firefox on Linux") < page.index("This one") < page.index("Safari on iPhone")


def test_one_session_is_signed_out(alice: User) -> None:
    first, second, third = sign_in(FIREFOX), sign_in(SAFARI), sign_in(EDGE)
    row = UserSession.objects.get(user_agent=SAFARI)
    first.post(f"/settings/account/sessions/{row.pk}/end/")
    assert [client.get("/memories/").status_code for client in (first, second, third)] == [200, 302, 200]


def test_all_other_sessions_are_signed_out(alice: User) -> None:
    first, second = sign_in(FIREFOX), sign_in(SAFARI)
    first.post("/settings/account/sessions/end/")
    assert [client.get("/memories/").status_code for client in (first, second)] == [200, 302]
    assert UserSession.objects.filter(user=alice).count() == 1


def test_anothers_session_is_neither_listed_nor_signed_out(alice: User, bob: User) -> None:
    browser, other = sign_in(FIREFOX), sign_in(SAFARI, "bob")
    row = UserSession.objects.get(user=bob)
    assert "iPhone" not in shown(browser)
    assert browser.post(f"/settings/account/sessions/{row.pk}/end/").status_code == 404
    browser.post("/settings/account/sessions/end/")
    assert other.get("/memories/").status_code == 200


def test_session_from_before_a_new_password_is_not_listed(alice: User) -> None:
    sign_in(SAFARI)
    alice.set_password("another-secret-9")
    alice.save(update_fields=["password"])
    client = Client(headers={"User-Agent": FIREFOX})
    client.post("/accounts/login/", {"login": "alice", "password": "another-secret-9"})
    assert "iPhone" not in shown(client)


def test_language_is_kept_for_the_account_and_returned_to_the_browsers(
    alice: User, alice_browser: Client
) -> None:
    alice_browser.post("/settings/account/language/", {"language": "zh-hans"})
    assert get_preferences(alice.pk).language == "zh-hans"
    assert '<html lang="zh-hans"' in shown(alice_browser)
    alice_browser.post("/settings/account/language/", {"language": ""})
    assert get_preferences(alice.pk).language == ""
    assert alice_browser.cookies[settings.LANGUAGE_COOKIE_NAME].value == ""


def test_name_is_changed_and_recorded(alice: User, alice_browser: Client) -> None:
    assert alice_browser.post(NAME, {"username": "alicia"})["Location"] == PAGE
    alice.refresh_from_db()
    assert alice.username == "alicia"
    assert AuditEntry.objects.filter(owner=alice, act="change name").exists()


@pytest.mark.parametrize("name", ["bob", "BOB", "app-" + "0" * 32, "аlice", "a b", ""])
def test_name_that_is_taken_reserved_or_misleading_is_refused(
    alice: User, bob: User, alice_browser: Client, name: str
) -> None:
    assert alice_browser.post(NAME, {"username": name}).status_code == 400
    alice.refresh_from_db()
    assert alice.username == "alice"


def test_name_needs_a_recent_password(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert client.post(NAME, {"username": "alicia"})["Location"].startswith("/accounts/reauthenticate/")


def test_number_of_queries_does_not_grow_with_sessions(alice: User) -> None:
    browser = sign_in(FIREFOX)
    shown(browser)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            shown(browser)
        counts.append(len(queries))
        for _ in range(5):
            sign_in(SAFARI)
    assert counts[0] == counts[1]
