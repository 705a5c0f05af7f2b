"""The inbox: what waits, by its message; keep, edit, reject, merge, and always keep a kind."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories import curation
from memories.maintenance.reports.report_making import make_reports
from memories.models import Memory
from memories.models.report import today
from memories.storage import count_waiting
from memories.storage.queries import list_active_memories
from memories.storage.store import Draft, open_batch
from memories.values import Candidate, Kind, Writer
from memories.writing import drafting
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.accounts.preferences import get_preferences, set_preferences
from tests.pages.conftest import Remember, Say
from tests.pages.memories.conftest import Dispute, Wait, status_of, undo_address

HTMX = {"HX-Request": "true", "HX-Target": "inbox"}


def shown(client: Client) -> str:
    response = client.get("/inbox/")
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def twins(alice: User) -> list[Memory]:
    """Two memories that the latest report takes for one; stored without a search for similar ones."""
    found = []
    for text in ("Alice keeps bees behind the barn.", "The Alice keeps bees behind the barn!"):
        draft = drafting.make_draft(Candidate(text), owner=alice.pk, now=timezone.now())
        assert isinstance(draft, Draft)
        drafting.embed_drafts([draft])
        with open_batch(owner=alice.pk, actor="person") as batch:
            batch.insert(draft)
        found.append(draft.memory)
    make_reports(today(), owner=alice.pk)
    return found


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/inbox/")["Location"].startswith("/accounts/login/")


def test_nothing_waits(alice_browser: Client) -> None:
    page = shown(alice_browser)
    assert "Nothing waits for you" in page
    assert 'id="count-inbox"></span>' in page


def test_what_waits_stands_under_its_message(
    alice: User, alice_browser: Client, thread_saying: Say, pending: Wait
) -> None:
    thread = thread_saying(alice, "I play the cello and want to sail.")
    pending(alice, "Plays the cello.", thread=thread)
    pending(alice, "Wants to sail.", kind="goal", thread=thread)
    page = shown(alice_browser)
    assert page.count("I play the cello and want to sail.") == 1
    assert page.index("I play the cello") < page.index("Wants to sail.") < page.index("Plays the cello.")
    assert f"/threads/{thread.pk}/?message=" in page


def test_groups_of_one_name_are_no_landmarks(
    alice: User, alice_browser: Client, thread_saying: Say, pending: Wait
) -> None:
    for text in ("I play the cello.", "I sail."):
        pending(alice, text, thread=thread_saying(alice, text))
    page = shown(alice_browser)
    assert page.count('role="group" aria-label="From a message"') == 2
    assert '<section class="surface inbox-group"' not in page


def test_only_the_persons_own_waits(alice: User, bob: User, alice_browser: Client, pending: Wait) -> None:
    pending(bob, "Plays the oboe.")
    assert "oboe" not in shown(alice_browser)
    assert count_waiting(owner=alice.pk) == 0


def test_the_navigation_counts_what_waits(
    alice: User, alice_browser: Client, pending: Wait, disputed: Dispute, twins: list[Memory]
) -> None:
    pending(alice, "Plays the cello.")
    disputed(alice, "Berlin", "Lisbon", "Rome")
    page = alice_browser.get("/settings/memory/").content.decode()
    assert count_waiting(owner=alice.pk) == 3
    assert "3<span" in page.partition('id="count-inbox"')[2][:200]


def test_many_are_counted_as_more_than_99(alice: User, alice_browser: Client) -> None:
    candidates = [Candidate(f"Owns book number {number}.") for number in range(101)]
    write_candidates(candidates, owner=alice.pk, actor="learning", pending=True)
    assert "99+" in shown(alice_browser)


def test_keeping_one_leaves_the_others(alice: User, alice_browser: Client, pending: Wait) -> None:
    one, other = pending(alice, "Plays the cello."), pending(alice, "Wants to sail.", kind="goal")
    response = alice_browser.post("/inbox/keep/", {"only": str(one.pk), "ids": [str(other.pk)]})
    assert response["Location"] == "/inbox/"
    assert (status_of(one), status_of(other)) == ("active", "pending")
    alice_browser.post(undo_address(response))
    assert status_of(one) == "pending"


def test_rejecting_is_undone(alice: User, alice_browser: Client, pending: Wait) -> None:
    memory = pending(alice, "Plays the cello.")
    response = alice_browser.post("/inbox/reject/", {"ids": [str(memory.pk)]})
    assert status_of(memory) == "forgotten"
    alice_browser.post(undo_address(response))
    assert status_of(memory) == "pending"


def test_htmx_gets_the_inbox_a_notice_and_the_count(
    alice: User, alice_browser: Client, pending: Wait
) -> None:
    memory = pending(alice, "Plays the cello.")
    page = alice_browser.post("/inbox/keep/", {"only": str(memory.pk)}, headers=HTMX).content.decode()
    assert "<html" not in page
    assert "Nothing waits for you" in page
    assert "1 memory kept." in page
    assert 'id="count-inbox" hx-swap-oob="true"' in page


def test_all_that_wait_are_kept_but_for_later_ones(alice: User, alice_browser: Client, pending: Wait) -> None:
    first = pending(alice, "Plays the cello.")
    listed_at = shown(alice_browser).partition('name="listed_at" value="')[2].partition('"')[0]
    later = pending(alice, "Wants to sail.", kind="goal")
    alice_browser.post("/inbox/keep/", {"all": "1", "listed_at": listed_at})
    assert (status_of(first), status_of(later)) == ("active", "pending")


def test_own_words_are_kept(alice: User, alice_browser: Client, pending: Wait) -> None:
    memory = pending(alice, "Plays the cello.")
    alice_browser.post(f"/inbox/{memory.pk}/edit/", {"content": "Plays the viola."})
    found = list_active_memories(owner=alice.pk).get()
    assert (found.content, found.status) == ("Plays the viola.", "active")


def test_unchanged_words_keep_the_memory_itself(alice: User, alice_browser: Client, pending: Wait) -> None:
    memory = pending(alice, "Plays the cello.")
    alice_browser.post(f"/inbox/{memory.pk}/edit/", {"content": "Plays the cello."})
    assert status_of(memory) == "active"


def test_empty_words_are_refused(alice: User, alice_browser: Client, pending: Wait) -> None:
    memory = pending(alice, "Plays the cello.")
    assert alice_browser.post(f"/inbox/{memory.pk}/edit/", {"content": " "}).status_code == 400
    assert status_of(memory) == "pending"


@pytest.mark.parametrize("act", ["keep", "reject"])
def test_another_persons_memory_is_not_found(
    alice: User, alice_browser: Client, bob_browser: Client, pending: Wait, act: str
) -> None:
    memory = pending(alice, "Plays the cello.")
    assert bob_browser.post(f"/inbox/{act}/", {"ids": [str(memory.pk)]}).status_code == 404
    assert status_of(memory) == "pending"


@pytest.mark.parametrize("act", ["merge", "separate"])
def test_anothers_proposal_is_not_found(bob_browser: Client, twins: list[Memory], act: str) -> None:
    ids = [str(memory.pk) for memory in twins]
    assert bob_browser.post(f"/inbox/{act}/", {"ids": ids}).status_code == 404


def test_nothing_chosen_is_an_error(alice_browser: Client) -> None:
    assert alice_browser.post("/inbox/keep/", {}).status_code == 400


def test_a_kind_is_always_kept_from_now_on(alice: User, alice_browser: Client, pending: Wait) -> None:
    memory = pending(alice, "Wants to sail.", kind="goal")
    other = pending(alice, "Plays the cello.")
    response = alice_browser.post("/inbox/always/", {"kind": "goal"})
    assert (status_of(memory), status_of(other)) == ("active", "pending")
    later = Candidate("Wants to dive.", kind=Kind.GOAL, written_by=Writer.RULES)
    written = write_candidates([later], owner=alice.pk, actor="learning", pending=True)
    assert written.outcomes[0].action == "created"
    assert "Kept without asking" in shown(alice_browser)
    alice_browser.post(undo_address(response))
    assert get_preferences(alice.pk).kept_kinds == []
    assert status_of(memory) == "pending"


def test_a_kept_kind_that_was_forgotten_still_waits(
    alice: User, remembered: Remember, alice_browser: Client
) -> None:
    memory = remembered(alice, "Wants to sail.", kind="goal")
    curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    set_preferences(alice.pk, kept_kinds=["goal"])
    again = Candidate("Wants to sail.", kind=Kind.GOAL, written_by=Writer.RULES)
    written = write_candidates([again], owner=alice.pk, actor="learning", pending=True)
    assert written.outcomes[0].action == "pending"


def test_a_kind_waits_again(alice: User, alice_browser: Client) -> None:
    set_preferences(alice.pk, kept_kinds=["goal", "fact"])
    alice_browser.post("/inbox/ask/", {"kind": "goal"})
    assert get_preferences(alice.pk).kept_kinds == ["fact"]


def test_an_unknown_kind_is_refused(alice: User, alice_browser: Client) -> None:
    assert alice_browser.post("/inbox/always/", {"kind": "conversation"}).status_code == 400
    assert get_preferences(alice.pk).kept_kinds == []


def test_a_merge_is_proposed_and_done(alice: User, alice_browser: Client, twins: list[Memory]) -> None:
    page = shown(alice_browser)
    assert "They may be one" in page
    ids = [str(memory.pk) for memory in twins]
    response = alice_browser.post("/inbox/merge/", {"ids": ids})
    assert list_active_memories(owner=alice.pk).count() == 1
    assert "They may be one" not in shown(alice_browser)
    alice_browser.post(undo_address(response))
    assert [status_of(memory) for memory in twins] == ["active", "active"]


def test_memories_kept_separate_are_not_proposed_again(
    alice: User, alice_browser: Client, twins: list[Memory]
) -> None:
    assert count_waiting(owner=alice.pk) == 1
    response = alice_browser.post("/inbox/separate/", {"ids": [str(memory.pk) for memory in twins]})
    assert count_waiting(owner=alice.pk) == 0
    assert "They may be one" not in shown(alice_browser)
    alice_browser.post(undo_address(response))
    assert count_waiting(owner=alice.pk) == 1


def test_a_dispute_is_shown_with_its_answers(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    first, second = disputed(alice, "Berlin", "Lisbon")
    page = shown(alice_browser)
    assert "Alice lives in Berlin." in page
    assert f'value="wrong:{first.pk}"' in page
    assert f"/conflicts/{second.pk}/answer/" in page


def test_an_inbox_asks_as_much_for_many_as_for_few(
    alice: User, alice_browser: Client, pending: Wait, thread_saying: Say
) -> None:
    counts: list[Any] = []
    for wanted in (1, 6):
        for number in range(wanted):
            text = f"I own book number {number} of {wanted}."
            pending(alice, f"Owns book number {number} of {wanted}.", thread=thread_saying(alice, text))
        with CaptureQueriesContext(connection) as queries:
            shown(alice_browser)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_long_words_and_markup_are_only_text(alice: User, alice_browser: Client, pending: Wait) -> None:
    pending(alice, "Wrote <script>alert(1)</script> " + "x" * 5000)
    page = shown(alice_browser)
    assert "<script>alert" not in page
