"""The list of memories in the admin: readable columns, filters, search, and a fixed cost."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories import curation
from memories.values import Kind, Layer, Writer
from memsite.accounts.audited_admin import lists
from memsite.accounts.models import AuditEntry, User
from tests.admin.conftest import MEMORIES, acts_on, remember


def listed(client: Client, query: str) -> str:
    return client.get(f"{MEMORIES}?{query}").content.decode().partition('id="result_list"')[2]


def test_columns_say_what_staff_need(alice: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.", confidence=0.62, written_by=Writer.MODEL, pending=True)
    page = listed(charlie_browser, "")
    for words in ("Plays the cello.", "alice", "Fact", "Pending", "62%", "A model, from a thread"):
        assert words in page


def test_long_texts_are_cut_and_their_direction_is_their_own(alice: User, charlie_browser: Client) -> None:
    remember(alice, "x" * 1_900)
    page = listed(charlie_browser, "")
    assert 'class="clamped" dir="auto"' in page
    assert "x" * 300 not in page


def test_scripts_in_a_text_do_not_run(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Likes <script>alert(1)</script> and <b>bold</b>.")
    for page in (
        listed(charlie_browser, ""),
        charlie_browser.get(f"{MEMORIES}{memory.pk}/change/").content.decode(),
    ):
        assert "<script>alert" not in page
        assert "<b>bold" not in page


@pytest.mark.parametrize(
    "query",
    [
        "owner=alice",
        "status=pending",
        "kind=goal",
        "layer=procedural",
        "confidence=under-50",
        "written_by=rules",
        "q=cello",
        "q=CELLO",
        "pinned__exact=1",
    ],
)
def test_filter_finds_the_one_and_leaves_out_the_other(
    alice: User, bob: User, charlie_browser: Client, query: str
) -> None:
    kinds = {"kind=goal": Kind.GOAL, "layer=procedural": Kind.HABIT}
    wanted = remember(
        alice,
        "Plays the cello.",
        pending=query == "status=pending",
        kind=kinds.get(query, Kind.FACT),
        layer=Layer.PROCEDURAL if query == "layer=procedural" else Layer.SEMANTIC,
        written_by=Writer.RULES,
    )
    changes = {"confidence": 0.3, "pinned": query.startswith("pinned")}
    curation.edit_memory(wanted.pk, changes, owner=alice.pk, actor="person")
    remember(bob, "Keeps bees.", confidence=0.95)
    page = listed(charlie_browser, query)
    assert "cello" in page
    assert "bees" not in page


def test_memory_is_found_by_its_id(alice: User, charlie_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    remember(alice, "Keeps bees.")
    page = listed(charlie_browser, f"q={memory.pk}")
    assert "cello" in page
    assert "bees" not in page


def test_unknown_owner_shows_nothing(alice: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    assert "cello" not in listed(charlie_browser, "owner=nobody")


def test_owners_names_are_suggested_to_staff_alone(
    alice: User, alice_browser: Client, charlie_browser: Client
) -> None:
    assert charlie_browser.get(f"{MEMORIES}owners/?q=AL").json() == {"names": ["alice"]}
    assert charlie_browser.get(f"{MEMORIES}owners/?q=").json() == {"names": []}
    assert alice_browser.get(f"{MEMORIES}owners/?q=al").status_code == 302


def test_filter_by_owner_keeps_the_other_filters(alice: User, charlie_browser: Client) -> None:
    page = charlie_browser.get(f"{MEMORIES}?status=pending&owner=alice&p=2", follow=True).content.decode()
    form = page.partition('class="owner-filter"')[2].partition("</form>")[0]
    assert '<input type="hidden" name="status" value="pending">' in form
    assert 'value="alice"' in form


def test_owner_is_told_only_of_what_the_filter_showed(
    alice: User, bob: User, charlie_browser: Client
) -> None:
    remember(alice, "Plays the cello.")
    remember(bob, "Keeps bees.")
    charlie_browser.get(f"{MEMORIES}?owner=alice")
    assert acts_on(alice) == [("charlie", "look", "memories")]
    assert acts_on(bob) == []


def test_list_counts_at_most_its_bound(
    alice: User, charlie_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "MOST_LISTED", 3)
    for number in range(5):
        remember(alice, f"Saw {number} herons.")
    with CaptureQueriesContext(connection) as queries:
        page = charlie_browser.get(MEMORIES).content.decode()
    assert "The newest 3; filters lead to the others." in page
    assert not [one for one in queries if "COUNT(*)" in one["sql"] and "memories_memory" in one["sql"]]


def test_search_says_that_there_are_more_than_its_bound(
    alice: User, charlie_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "MOST_LISTED", 3)
    for number in range(5):
        remember(alice, f"Saw {number} herons.")
    assert "More than 3 results" in charlie_browser.get(f"{MEMORIES}?q=herons").content.decode()
    assert "1 result " in charlie_browser.get(f"{MEMORIES}?q=Saw+4").content.decode()


def test_pages_follow_each_other_without_gap(
    alice: User, charlie_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.admin.memory_list.MemoryAdmin.list_per_page", 2)
    for number in range(5):
        remember(alice, f"Saw {number} herons.")
    pages = [listed(charlie_browser, f"p={page}") for page in (1, 2, 3)]
    found = [[number for number in range(5) if f"Saw {number} herons" in page] for page in pages]
    assert found == [[3, 4], [1, 2], [0]]


def test_statements_of_the_list_do_not_depend_on_the_rows(
    alice: User, bob: User, charlie_browser: Client
) -> None:
    counts = []
    for more in (1, 8):
        for number in range(more):
            remember(alice, f"Saw {more} and {number} herons.")
            remember(bob, f"Heard {more} and {number} owls.")
        AuditEntry.objects.all().delete()
        with CaptureQueriesContext(connection) as queries:
            charlie_browser.get(MEMORIES)
        counts.append(len(queries))
    assert counts[0] == counts[1]
