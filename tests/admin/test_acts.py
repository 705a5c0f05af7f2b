"""Staff act on many memories: a preview says what will happen, and each owner sees the act."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories import curation
from memories.admin import memory_list
from memories.models import Event, Memory
from memories.storage.access import get_memory
from memories.values import Kind
from memsite.accounts.models import AuditEntry, User
from tests.admin.conftest import MEMORIES, acts_on, choose, confirm, page_of, remember, statuses


@pytest.mark.parametrize(
    ("act", "entry", "status"),
    [
        ("forget", "forget", "forgotten"),
        ("approve", "approve", "active"),
        ("restore", "restore", "active"),
        ("pin", "pin", "active"),
    ],
)
def test_acts_go_by_curation_and_are_in_the_owners_audit(
    alice: User, charlie_browser: Client, act: str, entry: str, status: str
) -> None:
    memory = remember(alice, "Plays the cello.", pending=act == "approve")
    if act == "restore":
        curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    confirm(charlie_browser, act, memory)
    assert get_memory(memory.pk, owner=alice.pk).status == status
    assert ("charlie", entry, "memories") in acts_on(alice)
    assert Event.objects.filter(owner=alice).latest("sequence").actor == "staff:charlie"


@pytest.mark.parametrize("action", ["approve", "forget", "restore", "merge", "change_kind", "pin", "unpin"])
def test_choosing_an_action_changes_nothing_yet(alice: User, charlie_browser: Client, action: str) -> None:
    first, second = remember(alice, "Plays the cello."), remember(alice, "Lives by the sea.")
    page = page_of(choose(charlie_browser, action, first, second))
    assert "Plays the cello." in page
    assert Event.objects.filter(owner=alice).exclude(type="memory.created").count() == 0
    assert acts_on(alice) == [("charlie", "look", "memories")]


def test_preview_counts_what_changes_and_names_the_owners(
    alice: User, bob: User, charlie_browser: Client
) -> None:
    first, second = remember(alice, "Plays the cello."), remember(bob, "Plays the oboe.")
    page = page_of(choose(charlie_browser, "forget", first, second))
    assert "2 memories change." in page
    assert "<strong>alice</strong>" in page
    assert "<strong>bob</strong>" in page


def test_preview_says_what_stays_and_why(alice: User, charlie_browser: Client) -> None:
    waiting, active = remember(alice, "Plays the cello.", pending=True), remember(alice, "Keeps bees.")
    page = page_of(choose(charlie_browser, "approve", waiting, active))
    assert "1 memory changes." in page
    assert "It is not pending." in page.partition("What stays as it is")[2]


def test_restoring_what_another_memory_says_is_refused_in_the_preview(
    alice: User, charlie_browser: Client
) -> None:
    gone = remember(alice, "Plays the cello.")
    curation.forget_memories([gone.pk], owner=alice.pk, actor="person")
    fields = {field.attname: getattr(gone, field.attname) for field in Memory._meta.concrete_fields}
    fields |= {"forgotten_at": None, "status": "active"}
    fields.pop("id")
    Memory.objects.create(**fields)
    page = page_of(choose(charlie_browser, "restore", gone))
    assert "Another memory says the same already." in page
    assert 'name="confirmed"' not in page


def test_act_on_several_owners_is_a_batch_of_each(alice: User, bob: User, charlie_browser: Client) -> None:
    first, second = remember(alice, "Plays the cello."), remember(bob, "Plays the oboe.")
    confirm(charlie_browser, "forget", first, second)
    assert statuses(first, second) == ["forgotten", "forgotten"]
    entries = AuditEntry.objects.filter(act="forget")
    assert {entry.owner_id: entry.subject_ids for entry in entries} == {
        alice.pk: [first.pk],
        bob.pk: [second.pk],
    }
    assert {event.batch_id for event in Event.objects.filter(type="memory.forgotten")} == {
        entry.batch_id for entry in entries
    }


def test_notice_counts_what_changed_and_what_stayed(alice: User, charlie_browser: Client) -> None:
    first, second = remember(alice, "Plays the cello."), remember(alice, "Keeps bees.", pending=True)
    confirm(charlie_browser, "approve", first, second)
    page = page_of(charlie_browser.get(MEMORIES))  # type: ignore[arg-type]  # the test client's own kind
    assert "1 memory approved. 1 stays as it is." in page


def test_kind_is_chosen_in_the_preview_and_changed_once_confirmed(
    alice: User, charlie_browser: Client
) -> None:
    fact = remember(alice, "Plays the cello.")
    page = page_of(choose(charlie_browser, "change_kind", fact))
    assert 'value="goal"' in page
    assert 'name="confirmed"' not in page
    confirm(charlie_browser, "change-kind", fact, kind="goal")
    assert get_memory(fact.pk, owner=alice.pk).kind == Kind.GOAL
    assert ("charlie", "change kind", "memories") in acts_on(alice)


def test_kind_that_the_preview_did_not_show_is_previewed_first(alice: User, charlie_browser: Client) -> None:
    fact = remember(alice, "Plays the cello.")
    page = page_of(confirm(charlie_browser, "change-kind", fact, kind="goal", confirmed="skill"))
    assert 'value="goal" selected' in page
    assert get_memory(fact.pk, owner=alice.pk).kind == Kind.FACT


def test_relation_keeps_its_kind(alice: User, charlie_browser: Client) -> None:
    parts: dict[str, Any] = {"subject": "Anna", "predicate": "works at", "object": "the mill"}
    relation = remember(alice, "Anna works at the mill.", kind=Kind.RELATION, **parts)
    page = page_of(choose(charlie_browser, "change_kind", relation))
    assert "A relation, and a person or thing, keeps its kind." in page


def test_merge_shows_the_text_and_writes_what_staff_make_of_it(alice: User, charlie_browser: Client) -> None:
    first, second = remember(alice, "Plays the cello."), remember(alice, "Plays in a quartet.")
    assert 'name="content"' in page_of(choose(charlie_browser, "merge", first, second))
    confirm(charlie_browser, "merge", first, second, content="Plays the cello in a quartet.")
    merged = Memory.objects.get(owner=alice, status="active")
    assert merged.content == "Plays the cello in a quartet."
    assert statuses(first, second) == ["deprecated", "deprecated"]
    assert ("charlie", "merge", "memories") in acts_on(alice)


def test_memories_of_two_owners_are_never_merged_into_one(
    alice: User, bob: User, charlie_browser: Client
) -> None:
    first, second = remember(alice, "Plays the cello."), remember(bob, "Plays the cello.")
    page = page_of(choose(charlie_browser, "merge", first, second))
    assert "A merge takes two memories or more." in page
    confirm(charlie_browser, "merge", first, second)
    assert statuses(first, second) == ["active", "active"]


def test_merge_that_fails_keeps_the_text_that_was_written(alice: User, charlie_browser: Client) -> None:
    first, second = remember(alice, "Plays the cello."), remember(alice, "Plays in a quartet.")
    other = remember(alice, "Keeps bees behind the house.")
    response = confirm(charlie_browser, "merge", first, second, content=other.content)
    assert response.status_code == 422
    assert "Keeps bees behind the house." in page_of(response)
    assert statuses(first, second) == ["active", "active"]


def test_more_memories_than_one_act_takes_are_refused(
    alice: User, charlie_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_list, "MOST_ACTED", 1)
    first, second = remember(alice, "Plays the cello."), remember(alice, "Keeps bees.")
    choose(charlie_browser, "forget", first, second)
    assert "One act takes at most 1 memories." in page_of(charlie_browser.get(MEMORIES))  # type: ignore[arg-type]  # as above


def test_all_that_match_are_chosen_across_pages(alice: User, charlie_browser: Client) -> None:
    rows = [remember(alice, f"Inspected bridge number {number}.") for number in range(3)]
    remember(alice, "Keeps bees.")
    found = f"{MEMORIES}?q=bridge"
    page = page_of(choose(charlie_browser, "forget", rows[0], at=found, select_across="1", index="0"))
    assert "3 memories change." in page


def test_act_with_a_get_or_an_unknown_name_changes_nothing(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    assert charlie_browser.get(f"{MEMORIES}acts/forget/").status_code == 403
    assert confirm(charlie_browser, "explode", memory).status_code == 404
    assert statuses(memory) == ["active"]


def test_page_of_a_memory_offers_the_acts_that_fit(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.", pending=True)
    page = charlie_browser.get(f"{MEMORIES}{memory.pk}/change/").content.decode()
    assert "acts/approve/" in page
    assert "acts/restore/" not in page
    assert "acts/merge/" not in page


def test_statements_of_a_preview_do_not_depend_on_the_rows(
    alice: User, bob: User, charlie_browser: Client
) -> None:
    rows = [remember(owner, f"Saw {number} herons.") for number in range(6) for owner in (alice, bob)]
    counts = []
    for chosen in (rows[:2], rows):
        AuditEntry.objects.all().delete()
        with CaptureQueriesContext(connection) as queries:
            choose(charlie_browser, "restore", *chosen)
        counts.append(len(queries))
    assert counts[0] == counts[1]
