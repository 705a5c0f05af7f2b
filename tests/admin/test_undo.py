"""Acts of staff are undone: at once by the notice, later in the list of recent acts, or by the owner."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories import curation
from memsite.accounts.models import AuditEntry, User
from tests.admin.conftest import MEMORIES, acts_on, confirm, last_batch, remember, staff, statuses

RECENT = f"{MEMORIES}acts/"


def undo_url(batch: uuid.UUID) -> str:
    return f"{MEMORIES}undo/{batch}/"


def test_notice_offers_to_undo_the_whole_act(alice: User, bob: User, charlie_browser: Client) -> None:
    first, second = remember(alice, "Plays the cello."), remember(bob, "Plays the oboe.")
    confirm(charlie_browser, "forget", first, second)
    url = undo_url(last_batch(alice))
    assert f'action="{url}"' in charlie_browser.get(MEMORIES).content.decode()
    charlie_browser.post(url)
    assert statuses(first, second) == ["active", "active"]
    assert acts_on(alice)[-1] == acts_on(bob)[-1] == ("charlie", "undo", "memories")


@pytest.mark.parametrize("act", ["approve", "pin", "merge", "change-kind"])
def test_each_act_can_be_undone(alice: User, charlie_browser: Client, act: str) -> None:
    first, second = (
        remember(alice, "Plays the cello.", pending=act == "approve"),
        remember(alice, "Plays in a quartet.", pending=act == "approve"),
    )
    before = statuses(first, second)
    fields = {"kind": "goal"} if act == "change-kind" else {"content": "Plays the cello in a quartet."}
    confirm(charlie_browser, act, first, second, **fields)
    charlie_browser.post(undo_url(last_batch(alice)))
    first.refresh_from_db()
    assert statuses(first, second) == before
    assert (first.kind, first.pinned) == ("fact", False)


def test_recent_acts_are_listed_with_undo_for_one_owner(
    alice: User, bob: User, charlie_browser: Client
) -> None:
    first, second = remember(alice, "Plays the cello."), remember(bob, "Plays the oboe.")
    confirm(charlie_browser, "forget", first, second)
    page = charlie_browser.get(RECENT).content.decode()
    assert page.count(undo_url(last_batch(alice))) >= 2
    charlie_browser.post(undo_url(last_batch(bob)), {"owner": str(bob.pk)})
    assert statuses(first, second) == ["forgotten", "active"]


def test_list_of_recent_acts_shows_no_text_and_what_was_undone(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    confirm(charlie_browser, "forget", memory)
    batch = last_batch(alice)
    charlie_browser.post(undo_url(batch), follow=True)  # shows the notices
    page = charlie_browser.get(RECENT).content.decode()
    assert "cello" not in page
    assert f'action="{undo_url(batch)}"' not in page
    assert "Undone" in page


def test_undo_of_memories_that_changed_since_is_refused(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    confirm(charlie_browser, "forget", memory)
    batch = last_batch(alice)
    curation.restore_memories([memory.pk], owner=alice.pk, actor="person")
    page = charlie_browser.post(undo_url(batch), follow=True).content.decode()
    assert "A later change touched the same memories; undo that one first." in page
    assert statuses(memory) == ["active"]


def test_staff_undo_only_what_staff_did(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    assert charlie_browser.post(undo_url(last_batch(alice))).status_code == 404
    assert charlie_browser.post(undo_url(uuid.uuid4())).status_code == 404
    assert statuses(memory) == ["forgotten"]


def test_owner_sees_the_act_with_links_and_undoes_it(
    alice: User, alice_browser: Client, charlie_browser: Client
) -> None:
    memory = remember(alice, "Plays the cello.")
    confirm(charlie_browser, "forget", memory)
    page = alice_browser.get("/settings/audit/").content.decode()
    assert f"/memories/{memory.pk}/" in page
    [entry] = AuditEntry.objects.filter(owner=alice, act="forget")
    url = f"/memories/undo/{entry.batch_id}/"
    assert f'action="{url}"' in page
    alice_browser.post(url)
    assert statuses(memory) == ["active"]


def test_another_person_cannot_undo_an_act_on_somebodys_memories(
    alice: User, bob_browser: Client, charlie_browser: Client
) -> None:
    memory = remember(alice, "Plays the cello.")
    confirm(charlie_browser, "forget", memory)
    assert bob_browser.post(f"/memories/undo/{last_batch(alice)}/").status_code == 404
    assert bob_browser.post(undo_url(last_batch(alice))).status_code == 302
    assert statuses(memory) == ["forgotten"]


def test_owner_of_one_part_undoes_that_part_alone(
    alice: User, bob: User, alice_browser: Client, charlie_browser: Client
) -> None:
    first, second = remember(alice, "Plays the cello."), remember(bob, "Plays the oboe.")
    confirm(charlie_browser, "forget", first, second)
    alice_browser.post(f"/memories/undo/{last_batch(alice)}/")
    assert statuses(first, second) == ["active", "forgotten"]


def test_staff_without_the_permission_see_no_undo(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    confirm(charlie_browser, "forget", memory)
    dana = staff("dana", "view_memory")
    assert undo_url(last_batch(alice)) not in dana.get(RECENT).content.decode()
    assert dana.post(undo_url(last_batch(alice))).status_code == 403
    assert statuses(memory) == ["forgotten"]


def test_statements_of_the_recent_acts_do_not_depend_on_their_number(
    alice: User, charlie_browser: Client
) -> None:
    rows = [remember(alice, f"Saw {number} herons.") for number in range(5)]
    counts = []
    for some in (rows[:1], rows[1:]):
        for row in some:
            confirm(charlie_browser, "pin", row)
        charlie_browser.get(RECENT)
        with CaptureQueriesContext(connection) as queries:
            charlie_browser.get(RECENT)
        counts.append(len(queries))
    assert counts[0] == counts[1]
