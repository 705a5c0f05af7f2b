"""Memory, programs and the audit record: the settings' pages."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client

from memsite.accounts.applications import change_application, create_application
from memsite.accounts.audit import record
from memsite.accounts.keys import issue_key, recognise_key
from memsite.accounts.models import ApiKey, Application, User
from memsite.accounts.preferences import get_preferences

PROGRAMS = "/settings/programs/"


def issued(client: Client, **fields: object) -> str:
    form = {"name": "editor", "scopes": ["read"], "lifetime": "30", **fields}
    page = client.post("/settings/keys/", form).content.decode()
    found = re.search(r"msk_[0-9a-f]+_[\w-]{20,}", page)
    assert found
    return found[0]


def test_a_new_key_is_shown_once_and_works(alice: User, alice_browser: Client) -> None:
    key = issued(alice_browser)
    row = recognise_key(key)
    assert (row.owner, row.scopes, row.name) == (alice, ["read"], "editor")
    assert row.expires_at is not None
    assert key not in alice_browser.get(PROGRAMS).content.decode()


def test_a_page_with_a_key_is_never_cached(alice_browser: Client) -> None:
    response = alice_browser.post("/settings/keys/", {"name": "a", "scopes": ["read"], "lifetime": ""})
    assert "no-store" in response["Cache-Control"]


def test_a_key_is_issued_after_the_password_was_given_once_more(alice: User, client: Client) -> None:
    client.force_login(alice)
    form = {"name": "editor", "scopes": ["read"], "lifetime": "30"}
    asked = client.post("/settings/keys/", form)["Location"]
    assert asked.startswith("/accounts/reauthenticate/")
    assert not ApiKey.objects.filter(owner=alice).exists()
    page = client.post(asked, {"password": "alice-secret-1", "next": "/settings/keys/"}).content.decode()
    assert re.search(r"msk_[0-9a-f]+_[\w-]{20,}", page)


def test_a_key_without_a_scope_is_asked_for_again(alice: User, alice_browser: Client) -> None:
    response = alice_browser.post("/settings/keys/", {"name": "editor", "lifetime": "30"})
    assert response.status_code == 400
    assert not ApiKey.objects.filter(owner=alice).exists()


def test_a_revoked_key_is_useless_and_shown_as_such(alice: User, alice_browser: Client) -> None:
    row, _key = issue_key(alice, name="editor")
    alice_browser.post(f"/settings/keys/{row.pk}/revoke/")
    row.refresh_from_db()
    assert row.revoked_at is not None
    assert "revoked" in alice_browser.get(PROGRAMS).content.decode()


def test_anothers_key_is_neither_seen_nor_revoked(bob: User, alice_browser: Client) -> None:
    row, _key = issue_key(bob, name="bobs editor")
    assert "bobs editor" not in alice_browser.get(PROGRAMS).content.decode()
    assert alice_browser.post(f"/settings/keys/{row.pk}/revoke/").status_code == 404
    row.refresh_from_db()
    assert row.revoked_at is None


def test_an_application_gets_its_key(alice: User, alice_browser: Client) -> None:
    alice_browser.post("/settings/applications/", {"name": "shop"})
    application = Application.objects.get(owner=alice, name="shop")
    assert recognise_key(issued(alice_browser, application=str(application.pk))).application == application


def test_anothers_application_gets_no_key_of_ours(bob: User, alice: User, alice_browser: Client) -> None:
    create_application(alice, "own")
    foreign = create_application(bob, "shop")
    form = {"name": "a", "scopes": ["read"], "lifetime": "30", "application": str(foreign.pk)}
    assert alice_browser.post("/settings/keys/", form).status_code == 400
    assert not ApiKey.objects.filter(application=foreign).exists()


def test_a_taken_application_name_is_said_beside_it(alice: User, alice_browser: Client) -> None:
    create_application(alice, "shop")
    response = alice_browser.post("/settings/applications/", {"name": "shop"})
    assert response.status_code == 400
    assert "already" in response.content.decode()


def test_preferences_are_kept(alice: User, alice_browser: Client) -> None:
    alice_browser.post("/settings/memory/", {"auto_extract": "on"})
    kept = get_preferences(alice.pk)
    assert (kept.memory_on, kept.auto_extract, kept.citations_on) == (False, True, False)
    alice_browser.post("/settings/memory/", {})
    assert not get_preferences(alice.pk).auto_extract


def test_memory_page_leads_to_what_each_switch_governs(alice_browser: Client) -> None:
    page = alice_browser.get("/settings/memory/").content.decode().partition("<h1")[2]
    assert all(f'class="governs" href="{url}"' in page for url in ("/memories/", "/inbox/", "/threads/"))


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("/settings/", "/settings/memory/"),
        ("/settings/preferences/", "/settings/memory/"),
        ("/settings/keys/", PROGRAMS),
        ("/settings/applications/", PROGRAMS),
        ("/settings/delete/", "/settings/data/delete/"),
        ("/accounts/sessions/", "/settings/account/"),
    ],
)
def test_former_urls_lead_to_the_present_ones(alice_browser: Client, former: str, present: str) -> None:
    assert alice_browser.get(former)["Location"] == present


@pytest.mark.parametrize(
    ("url", "mark"),
    [
        ("/settings/memory/", 'href="/settings/memory/" aria-current="page"'),
        ("/settings/data/delete/", 'href="/settings/data/" aria-current="true"'),
        ("/settings/programs/", 'href="/settings/programs/" aria-current="page"'),
        ("/accounts/email/", 'href="/settings/account/" aria-current="true"'),
        ("/settings/audit/", 'href="/settings/privacy/" aria-current="true"'),
    ],
)
def test_navigation_marks_the_section_of_each_page(alice_browser: Client, url: str, mark: str) -> None:
    page = alice_browser.get(url).content.decode().partition('class="settings-nav"')[2].partition("</nav>")[0]
    assert mark in page
    assert page.count("aria-current") == 1
    assert page.count("<li>") == 5


def test_keys_that_no_longer_work_are_apart(alice: User, alice_browser: Client) -> None:
    row, _key = issue_key(alice, name="old editor")
    alice_browser.post(f"/settings/keys/{row.pk}/revoke/")
    page = alice_browser.get(PROGRAMS).content.decode()
    assert "1 key that no longer works" in page
    assert "old editor" in page.partition("more-lines")[2]


def test_a_person_sees_who_looked_and_nobody_elses_record(
    alice: User, bob: User, alice_browser: Client
) -> None:
    record("charlie", "forget", "memories", [(alice.pk, alice.pk)])
    record("charlie", "look", "threads", [(bob.pk, bob.pk)])
    page = alice_browser.get("/settings/audit/").content.decode()
    assert "charlie" in page
    assert "<strong>charlie</strong> · look" not in page


@pytest.mark.parametrize("page", ["keys", "applications"])
@pytest.mark.parametrize("name", ["", "  ", "\u200b\u2060"])
def test_a_name_that_nobody_can_see_is_asked_for_again(
    alice: User, alice_browser: Client, page: str, name: str
) -> None:
    response = alice_browser.post(f"/settings/{page}/", {"name": name, "scopes": ["read"], "lifetime": "30"})
    assert response.status_code == 400
    assert "errorlist" in response.content.decode()
    assert not ApiKey.objects.filter(owner=alice).exists()
    assert not Application.objects.filter(owner=alice).exists()


def test_the_record_names_the_memory_and_can_be_narrowed(alice: User, alice_browser: Client) -> None:
    row = uuid.uuid4()
    record("charlie", "forget", "memories", [(alice.pk, row)])
    record("dana", "look", "threads", [(alice.pk, uuid.uuid4())])
    acts = alice_browser.get("/settings/audit/?show=acts").content.decode()
    assert f"/memories/{row}/" in acts
    assert "dana" not in acts
    assert "charlie" not in alice_browser.get("/settings/audit/?show=looks").content.decode()


def test_an_application_has_its_settings_on_a_page(alice: User, alice_browser: Client) -> None:
    row = create_application(alice, "Open WebUI")
    address = f"/settings/applications/{row.pk}/"
    assert address in alice_browser.get(PROGRAMS).content.decode()
    form = {"require_user": "on", "headers": ["x-openwebui-user-id"], "token_secret": "very secret"}
    assert alice_browser.post(address, form).status_code == 302
    row.refresh_from_db()
    assert (row.require_user, row.headers, row.finds_side_requests) == (True, ["x-openwebui-user-id"], False)
    assert "very secret" not in alice_browser.get(address).content.decode()


def test_an_empty_secret_leaves_the_stored_one(alice: User, alice_browser: Client) -> None:
    row = change_application(create_application(alice, "Open WebUI"), {"token_secret": "very secret"})
    alice_browser.post(f"/settings/applications/{row.pk}/", {"user_header": "X-User"})
    row.refresh_from_db()
    assert row.user_header == "x-user"
    assert row.token_secret


def test_a_header_that_cannot_name_a_user_is_refused(alice: User, alice_browser: Client) -> None:
    row = create_application(alice, "Open WebUI")
    response = alice_browser.post(f"/settings/applications/{row.pk}/", {"user_header": "Cookie"})
    assert response.status_code == 400
