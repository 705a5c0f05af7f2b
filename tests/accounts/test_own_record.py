"""What is done with the account itself stands in its owner's record, and is mailed where it matters."""

from __future__ import annotations

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from memsite.accounts.models import ApiKey, AuditEntry, User
from memsite.jobs import run_due_jobs
from tests.conftest import KeyClient
from threads.messages.transcript import create_thread

PASSWORD = {"login": "alice", "password": "alice-secret-1"}
NEW_KEY = {"name": "editor", "scopes": ["read"], "lifetime": "30"}


def own_acts(person: User) -> list[tuple[str, str]]:
    return list(AuditEntry.objects.filter(owner=person).order_by("pk").values_list("act", "subject"))


def sign_in(agent: str) -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", PASSWORD)
    return client


@pytest.fixture
def mailing(settings: Settings, alice: User) -> None:
    settings.MEMSITE_SMTP_URL = "smtp://mail.example.org"
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")


def test_sign_in_is_recorded_with_device_and_address(alice: User) -> None:
    sign_in("Firefox")
    entry = AuditEntry.objects.get(owner=alice)
    assert (entry.actor, entry.act, entry.detail, entry.address) == (
        "alice",
        "sign in",
        "Firefox",
        "127.0.0.1",
    )


def test_keys_issued_and_revoked_are_recorded(alice: User, alice_browser: Client) -> None:
    alice_browser.post("/settings/keys/", NEW_KEY)
    alice_browser.post(f"/settings/keys/{ApiKey.objects.get(owner=alice).pk}/revoke/")
    assert own_acts(alice) == [("issue key", "API keys"), ("revoke key", "API keys")]


def test_keys_over_the_api_are_recorded(alice: User, client_of: KeyClient) -> None:
    client = client_of(alice, scopes=("admin",))
    issued = client.post("/api/keys", {"name": "editor"}).json()
    client.delete(f"/api/keys/{issued['id']}")
    assert own_acts(alice) == [("issue key", "API keys"), ("revoke key", "API keys")]


def test_exports_are_recorded_with_the_key(alice: User, alice_api: APIClient) -> None:
    thread = create_thread(owner=alice.pk)
    for path in ("/api/memories/export", f"/api/threads/{thread.pk}/export"):
        alice_api.get(path).getvalue()
    assert own_acts(alice) == [("export", "memories"), ("export", "threads")]
    prefix = ApiKey.objects.get(owner=alice).prefix
    assert prefix in AuditEntry.objects.filter(owner=alice).latest("pk").detail


def test_page_shows_own_acts_alone_when_asked(alice: User) -> None:
    client = sign_in("Firefox")
    assert "Firefox" in client.get("/settings/audit/?show=own").content.decode()
    assert "Firefox" not in client.get("/settings/audit/?show=acts").content.decode()


def test_key_keeps_the_address_it_was_last_used_from(alice: User, alice_api: APIClient) -> None:
    alice_api.get("/api/memories", REMOTE_ADDR="192.0.2.7")
    assert ApiKey.objects.get(owner=alice).last_used_address == "192.0.2.7"


def test_sign_in_on_a_new_device_is_mailed(mailing: None, mailoutbox: list[EmailMessage]) -> None:
    for agent in ("Firefox", "Firefox", "Chromium"):
        sign_in(agent)
    run_due_jobs()
    assert [mail.to for mail in mailoutbox] == [["alice@example.org"]]
    assert "Chromium" in mailoutbox[0].body


def test_new_key_is_mailed(mailing: None, alice_browser: Client, mailoutbox: list[EmailMessage]) -> None:
    alice_browser.post("/settings/keys/", NEW_KEY)
    run_due_jobs()
    assert "editor" in mailoutbox[0].body


def test_nothing_is_mailed_without_a_mail_server(
    alice_browser: Client, mailoutbox: list[EmailMessage]
) -> None:
    alice_browser.post("/settings/keys/", NEW_KEY)
    run_due_jobs()
    assert not mailoutbox


def test_staff_without_a_second_factor_are_led_to_set_it_up(
    charlie: User, charlie_browser: Client, settings: Settings
) -> None:
    assert charlie_browser.get("/admin/").status_code == 200
    settings.MEMSITE_STAFF_SECOND_FACTOR = True
    assert charlie_browser.get("/admin/", follow=True).redirect_chain[-1][0] == "/accounts/2fa/totp/activate/"
    TOTP.activate(charlie, "JBSWY3DPEHPK3PXP")
    assert charlie_browser.get("/admin/").status_code == 200
