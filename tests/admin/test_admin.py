"""The Django admin: staff look and act, owners see that they did."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.storage.access import get_memory
from memsite.accounts.keys import issue_key
from memsite.accounts.models import AuditEntry, Invitation, User
from memsite.jobs import enqueue, run_due_jobs
from tests.admin.conftest import MEMORIES, acts_on, choose, confirm, remember
from threads.messages.transcript import create_thread


def test_a_person_has_no_way_in(alice_browser: Client) -> None:
    assert alice_browser.get(MEMORIES).status_code == 302


def test_staff_come_in_by_the_sites_own_door(client: Client, db: None) -> None:
    assert client.get("/admin/login/")["Location"].startswith("/accounts/login/")


def test_list_loads_no_derived_columns(alice: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    with CaptureQueriesContext(connection) as queries:
        charlie_browser.get(MEMORIES)
    said = " ".join(query["sql"] for query in queries)
    for column in ("entity_terms", "wording", "fingerprint"):
        assert f'"memories_memory"."{column}"' not in said


def test_a_look_at_the_list_is_told_to_every_owner_on_it(
    alice: User, bob: User, charlie_browser: Client
) -> None:
    memory = remember(alice, "Plays the cello.")
    remember(bob, "Plays the oboe.")
    assert "cello" in charlie_browser.get(MEMORIES).content.decode()
    assert acts_on(alice) == acts_on(bob) == [("charlie", "look", "memories")]
    assert AuditEntry.objects.get(owner=alice).subject_ids == [memory.pk]


def test_an_act_is_one_line_beside_the_look_at_the_list(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    charlie_browser.get(MEMORIES)
    charlie_browser.get(f"{MEMORIES}{memory.pk}/change/")
    confirm(charlie_browser, "pin", memory)
    charlie_browser.get(MEMORIES)  # where the act leads back to
    assert sorted(acts_on(alice)) == [("charlie", "look", "memories"), ("charlie", "pin", "memories")]


def test_a_look_at_a_memory_not_seen_before_is_told(alice: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    charlie_browser.get(MEMORIES)
    new = remember(alice, "Lives by the sea in a small house.")
    charlie_browser.get(MEMORIES)
    assert AuditEntry.objects.filter(owner=alice).latest("pk").subject_ids == [new.pk]


def test_a_later_look_is_told_again(alice: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    charlie_browser.get(MEMORIES)
    AuditEntry.objects.filter(owner=alice).update(created_at=timezone.now() - timedelta(minutes=11))
    charlie_browser.get(MEMORIES)
    assert len(acts_on(alice)) == 2


def test_a_job_run_again_is_told_to_its_owner(alice: User, charlie_browser: Client) -> None:
    job = enqueue("tests.jobs.sample_tasks.refuse", owner=alice.pk)
    enqueue("tests.jobs.sample_tasks.refuse")  # the site's own: nobody is told
    run_due_jobs()
    charlie_browser.get("/admin/jobs/job/")
    choose(charlie_browser, "queue_again", job, at="/admin/jobs/job/")
    assert {("charlie", "look", "jobs"), ("charlie", "run again", "jobs")} <= set(acts_on(alice))


def test_nobody_is_told_of_a_list_they_are_not_on(alice: User, bob: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    remember(bob, "Plays the oboe.")
    charlie_browser.get(f"{MEMORIES}?q=oboe")
    assert acts_on(alice) == []


def test_a_look_at_one_memory_is_told(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    page = charlie_browser.get(f"{MEMORIES}{memory.pk}/change/").content.decode()
    assert "cello" in page
    assert 'name="content"' not in page
    assert acts_on(alice) == [("charlie", "look", "memories")]


def test_the_owner_reads_who_looked(alice: User, alice_browser: Client, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    charlie_browser.get(MEMORIES)
    assert "charlie" in alice_browser.get("/settings/audit/").content.decode()


@pytest.mark.parametrize(
    "page", ["memories/memory", "threads/thread", "accounts/apikey", "accounts/auditentry"]
)
def test_nothing_is_added_by_hand(charlie_browser: Client, page: str) -> None:
    assert charlie_browser.get(f"/admin/{page}/add/").status_code == 403


def test_no_memory_is_changed_or_deleted_by_hand(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    assert charlie_browser.post(f"{MEMORIES}{memory.pk}/change/", {"content": "x"}).status_code == 403
    assert charlie_browser.post(f"{MEMORIES}{memory.pk}/delete/", {"post": "yes"}).status_code == 403
    assert get_memory(memory.pk, owner=alice.pk).content == "Plays the cello."


def test_temporary_threads_are_not_shown(alice: User, charlie_browser: Client) -> None:
    create_thread(owner=alice.pk, title="Sailing")
    create_thread(owner=alice.pk, title="A secret present", is_temporary=True)
    page = charlie_browser.get("/admin/threads/thread/").content.decode()
    assert "Sailing" in page
    assert "secret present" not in page


def test_a_key_is_revoked_and_its_owner_told(alice: User, charlie_browser: Client) -> None:
    row, _key = issue_key(alice, name="editor")
    choose(charlie_browser, "revoke", row, at="/admin/accounts/apikey/")
    row.refresh_from_db()
    assert row.revoked_at is not None
    assert ("charlie", "revoke", "API keys") in acts_on(alice)


def test_a_person_is_deactivated_and_told(alice: User, charlie_browser: Client) -> None:
    address = f"/admin/accounts/user/{alice.pk}/change/"
    charlie_browser.post(
        address, {"username": "alice", "date_joined_0": "2026-01-01", "date_joined_1": "00:00"}
    )
    alice.refresh_from_db()
    assert not alice.is_active
    assert ("charlie", "change", "users") in acts_on(alice)


def test_a_person_is_not_deleted_here(alice: User, charlie_browser: Client) -> None:
    assert (
        charlie_browser.post(f"/admin/accounts/user/{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    )
    assert User.objects.filter(pk=alice.pk).exists()


def test_an_invitation_is_made_with_a_link_shown_once(charlie_browser: Client) -> None:
    response = charlie_browser.post("/admin/accounts/invitation/add/", {}, follow=True)
    assert "?invitation=" in response.content.decode()
    assert not Invitation.objects.get().makes_staff
    assert "?invitation=" not in charlie_browser.get("/admin/accounts/invitation/").content.decode()


@pytest.mark.parametrize("model", ["mfa/authenticator", "account/emailaddress", "socialaccount/socialtoken"])
def test_rows_without_a_record_of_looks_are_not_shown(charlie_browser: Client, model: str) -> None:
    assert charlie_browser.get(f"/admin/{model}/").status_code == 404


def test_every_model_of_the_admin_that_has_an_owner_keeps_the_record() -> None:
    from django.contrib import admin  # noqa: PLC0415 - needs the apps

    from memsite.accounts.audited_admin import Audited  # noqa: PLC0415 - after the admin is loaded

    owned = {
        model.__name__: page
        for model, page in admin.site._registry.items()  # noqa: SLF001 - there is no other way to ask
        if any(field.attname == "owner_id" for field in model._meta.fields) or model is User
    }
    assert {"Memory", "Thread", "User", "ApiKey", "Job"} <= owned.keys()
    assert [name for name, page in owned.items() if not isinstance(page, Audited)] == []


def test_a_look_at_the_history_of_a_row_is_told_to_its_owner(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    assert "cello" in charlie_browser.get(f"{MEMORIES}{memory.pk}/history/").content.decode()
    assert acts_on(alice) == [("charlie", "look", "memories")]
