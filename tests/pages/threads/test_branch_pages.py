"""Comparing two branches of a thread, naming one, taking back what it taught, deleting it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories.models import Memory
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.pages.conftest import Say
from threads.models import Branch, Message, Thread
from threads.visibility.provenance import make_reference

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def parted(alice: User, alice_browser: Client, thread_saying: Say) -> Thread:
    """Two branches: "Then we row." taught something and was left for "Then we sail."."""
    thread = thread_saying(alice, "Sail or row?", "Then we row.")
    first, row = Message.objects.filter(thread=thread).order_by("depth")
    source = make_reference(row.pk)
    write_candidates([Candidate("Rows.", sources=(source,))], owner=alice.pk, actor="learning")
    alice_browser.post(f"/threads/{thread.pk}/go-back/", {"message": str(first.pk)})
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Then we sail."})
    return thread


def main_of(thread: Thread) -> Branch:
    return Branch.objects.get(thread=thread, name="main")


def test_both_lines_stand_side_by_side_with_what_each_taught(alice_browser: Client, parted: Thread) -> None:
    page = alice_browser.get(f"/threads/{parted.pk}/compare/").content.decode()
    for text in ("Sail or row?", "Then we row.", "Then we sail.", "Rows."):
        assert text in page
    assert page.count("Take back what it taught") == 1


def test_comparison_shows_what_a_branch_taught_although_a_third_contains_it(
    alice: User, alice_browser: Client, parted: Thread
) -> None:
    sail = Message.objects.get(thread=parted, content="Then we sail.")
    source = make_reference(sail.pk)
    write_candidates([Candidate("Sails.", sources=(source,))], owner=alice.pk, actor="learning")
    alice_browser.post(f"/threads/{parted.pk}/go-back/", {"message": str(sail.pk)})
    alice_browser.post(f"/threads/{parted.pk}/say/", {"content": "Against the wind."})
    address = f"/threads/{parted.pk}/compare/?left={main_of(parted).pk}"
    page = alice_browser.get(address).content.decode()
    assert "Sails." in page
    assert "taught on a third branch, too" in page
    assert page.count("Take back what it taught") == 1  # what main taught


def test_comparison_makes_as_many_queries_for_many_messages(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    counts = []
    for length in (2, 40):
        thread = thread_saying(alice, *["Row on."] * length)
        for message in Message.objects.filter(thread=thread):
            taught = Candidate(f"Taught by {message.pk}.", sources=(make_reference(message.pk),))
            write_candidates([taught], owner=alice.pk, actor="learning")
        first = Message.objects.get(thread=thread, depth=0)
        alice_browser.post(f"/threads/{thread.pk}/go-back/", {"message": str(first.pk)})
        alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Sail on."})
        with CaptureQueriesContext(connection) as queries:
            alice_browser.get(f"/threads/{thread.pk}/compare/")
        counts.append(len(queries))
    assert counts[1] <= counts[0] <= 46


@pytest.mark.parametrize("query", ["left=x", "right=0190a0a0-0000-7000-8000-000000000000", "left=a%00b"])
def test_a_line_that_is_none_is_not_found(alice_browser: Client, parted: Thread, query: str) -> None:
    assert alice_browser.get(f"/threads/{parted.pk}/compare/?{query}").status_code == 404


def test_a_thread_of_one_branch_has_nothing_to_compare(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "One.")
    page = alice_browser.get(f"/threads/{thread.pk}/compare/").content.decode()
    assert "This thread has one branch so far." in page
    assert "Take back" not in page


def test_what_a_line_taught_is_taken_back_and_brought_back(
    alice: User, alice_browser: Client, parted: Thread
) -> None:
    alice_browser.post(f"/threads/{parted.pk}/branches/{main_of(parted).pk}/take-back/")
    memory = Memory.objects.get(owner=alice, content="Rows.")
    assert memory.status == "forgotten"
    page = alice_browser.get(f"/threads/{parted.pk}/").content.decode()
    undo = page.partition('action="/memories/undo/')[2].partition('"')[0]
    alice_browser.post(f"/memories/undo/{undo}")
    memory.refresh_from_db()
    assert memory.status == "active"


def test_a_line_is_named(alice_browser: Client, parted: Thread) -> None:
    other = Branch.objects.get(thread=parted, name=None)
    alice_browser.post(f"/threads/{parted.pk}/branches/{other.pk}/name/", {"name": "sailing"})
    assert "sailing" in alice_browser.get(f"/threads/{parted.pk}/").content.decode()


@pytest.mark.parametrize("name", ["main", "two words", "", "a\0b"])
def test_a_name_that_is_none_or_taken_is_explained(alice_browser: Client, parted: Thread, name: str) -> None:
    other = Branch.objects.get(thread=parted, name=None)
    address = f"/threads/{parted.pk}/branches/{other.pk}/name/"
    page = alice_browser.post(address, {"name": name, "from": "compare"}, follow=True).content.decode()
    assert "notice-wrong" in page
    other.refresh_from_db()
    assert other.name is None


def test_a_line_is_deleted(alice_browser: Client, parted: Thread) -> None:
    alice_browser.post(f"/threads/{parted.pk}/branches/{main_of(parted).pk}/delete/")
    assert not Message.objects.filter(thread=parted, content="Then we row.").exists()


def test_the_current_line_is_not_deleted(alice_browser: Client, parted: Thread) -> None:
    parted.refresh_from_db()
    address = f"/threads/{parted.pk}/branches/{parted.current_branch_id}/delete/"
    assert alice_browser.post(address).status_code == 409


@pytest.mark.parametrize("act", ["name", "take-back", "delete"])
def test_anothers_line_is_not_found(bob_browser: Client, parted: Thread, act: str) -> None:
    address = f"/threads/{parted.pk}/branches/{main_of(parted).pk}/{act}/"
    assert bob_browser.post(address, {"name": "mine"}).status_code == 404


def test_lines_of_a_thread_with_forks_are_switched_at_the_fork(alice_browser: Client, parted: Thread) -> None:
    row = Message.objects.get(thread=parted, content="Then we row.")
    page = alice_browser.get(f"/threads/{parted.pk}/").content.decode()
    assert f'name="through" value="{row.pk}"' in page
    response = alice_browser.post(f"/threads/{parted.pk}/go-back/", {"through": str(row.pk)})
    assert response["Location"].endswith(f"#message-{row.pk}")
    assert 'dir="auto">Then we row.</div>' in alice_browser.get(f"/threads/{parted.pk}/").content.decode()
