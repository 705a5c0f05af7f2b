"""Keys, applications, invitations and the audit record in the admin."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.keys import issue_key, revoke_key
from memsite.accounts.models import ApiKey, AuditEntry, Invitation, User
from memsite.accounts.signing import create_invitation
from tests.admin.conftest import MEMORIES, choose, remember

KEYS = "/admin/accounts/apikey/"


def listed(client: Client, url: str) -> str:
    return client.get(url).content.decode().partition('id="result_list"')[2]


def test_neither_a_key_nor_its_digest_is_shown(alice: User, charlie_browser: Client) -> None:
    row, key = issue_key(alice, name="editor")
    for url in (KEYS, f"{KEYS}{row.pk}/change/"):
        page = charlie_browser.get(url).content.decode()
        assert f"msk_{row.prefix}…" in page
        assert key not in page
        assert bytes(row.digest).hex() not in page


@pytest.mark.parametrize("state", ["usable", "revoked", "expired"])
def test_keys_are_filtered_by_state(alice: User, charlie_browser: Client, state: str) -> None:
    issue_key(alice, name="the usable one")
    revoke_key(str(issue_key(alice, name="the revoked one")[0].pk), owner=alice)
    old, _key = issue_key(alice, name="the expired one")
    ApiKey.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(days=1))
    page = listed(charlie_browser, f"{KEYS}?state={state}")
    shown = [name for name in ("usable", "revoked", "expired") if f"the {name} one" in page]
    assert shown == [state]


def test_staff_who_may_only_look_cannot_revoke(alice: User, dana: Client) -> None:
    row, _key = issue_key(alice, name="editor")
    choose(dana, "revoke", row, at=KEYS)
    row.refresh_from_db()
    assert row.revoked_at is None


def test_application_shows_its_end_users_and_usable_keys(alice: User, charlie_browser: Client) -> None:
    application = create_application(alice, "Notes")
    for name in ("dora", "emil"):
        get_end_user(application, name)
    issue_key(alice, name="server", application=application)
    page = listed(charlie_browser, "/admin/accounts/application/")
    assert '<td class="field-end_users">2</td>' in page
    assert '<td class="field-usable_keys">1</td>' in page


def test_invitation_shows_whether_it_still_works(charlie: User, charlie_browser: Client) -> None:
    create_invitation(charlie)
    Invitation.objects.create(
        digest=b"used", expires_at=timezone.now() + timedelta(days=1), used_at=timezone.now()
    )
    page = listed(charlie_browser, "/admin/accounts/invitation/")
    assert page.count("is-usable") == page.count("is-used") == 1
    assert "is-used" not in listed(charlie_browser, "/admin/accounts/invitation/?state=usable")


def test_audit_record_is_filtered_by_owner_and_sort(alice: User, bob: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    remember(bob, "Keeps bees.")
    charlie_browser.get(MEMORIES)
    page = listed(charlie_browser, "/admin/accounts/auditentry/?owner=alice&sort=looks")
    assert "alice" in page
    assert "bob" not in page
    assert "alice" not in listed(charlie_browser, "/admin/accounts/auditentry/?owner=alice&sort=acts")


@pytest.mark.parametrize("page", ["apikey", "application", "auditentry", "invitation", "user"])
def test_statements_of_a_list_do_not_depend_on_the_rows(
    charlie: User, charlie_browser: Client, page: str
) -> None:
    counts = []
    for more in (2, 6):
        for number in range(more):
            owner = User.objects.create_user(f"person-{more}-{number}")
            application = create_application(owner, "Notes")
            issue_key(owner, name="server", application=application)
            AuditEntry.objects.create(owner=owner, actor="somebody", act="look", subject="threads")
            create_invitation(owner)
        AuditEntry.objects.filter(actor="charlie").delete()
        with CaptureQueriesContext(connection) as queries:
            charlie_browser.get(f"/admin/accounts/{page}/")
        counts.append(len(queries))
    assert counts[0] == counts[1]
