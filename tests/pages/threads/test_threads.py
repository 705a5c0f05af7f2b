"""The pages of threads."""

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
from tests.threads.saying import assistant_calls, tool_answers
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread, ThreadSummary
from threads.visibility.provenance import make_reference


def page_of(client: Client, thread: Thread, query: str = "") -> str:
    response = client.get(f"/threads/{thread.pk}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_only_the_persons_own_threads_are_listed(alice: User, bob: User, alice_browser: Client) -> None:
    create_thread(owner=alice.pk, title="Sailing")
    create_thread(owner=bob.pk, title="Rowing")
    page = alice_browser.get("/threads/").content.decode()
    assert "Sailing" in page
    assert "Rowing" not in page


def test_a_message_names_what_was_learnt_from_it(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I have played the cello since school.")
    source = make_reference(Message.objects.get(thread=thread).pk)
    write_candidates([Candidate("Plays the cello.", sources=(source,))], owner=alice.pk, actor="learning")
    assert "Plays the cello." in page_of(alice_browser, thread)


def test_a_message_is_marked_not_to_be_remembered(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I have played the cello since school.")
    message = Message.objects.get(thread=thread)
    address = f"/threads/{thread.pk}/{message.pk}/remember/"
    answer = alice_browser.post(address, {"wish": "no"}, headers={"HX-Request": "true"}).content.decode()
    assert "Not to be remembered" in answer
    message.refresh_from_db()
    assert message.do_not_remember


def test_marked_message_loses_what_was_learnt_from_it(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I have played the cello since school.", "Nice.", "My dog is called Rex.")
    first, _, last = Message.objects.filter(thread=thread).order_by("depth")
    for message, fact in ((first, "Plays the cello."), (last, "Has a dog.")):
        write_candidates(
            [Candidate(fact, sources=(make_reference(message.pk),))], owner=alice.pk, actor="learning"
        )
    address = f"/threads/{thread.pk}/{first.pk}/remember/"
    answer = alice_browser.post(address, {"wish": "no"}, headers={"HX-Request": "true"}).content.decode()
    learnt = answer.partition(f'id="learnt-{first.pk}"')[2]
    assert learnt
    assert "Plays the cello." not in learnt


@pytest.mark.parametrize("text", ["What is my dog's name?", "hello", "我的猫叫什么?"])
def test_message_that_states_nothing_is_not_remembered_on_request(
    alice: User, alice_browser: Client, thread_saying: Say, text: str
) -> None:
    thread = thread_saying(alice, text)
    message = Message.objects.get(thread=thread)
    address = f"/threads/{thread.pk}/{message.pk}/keep/"
    page = alice_browser.post(address, follow=True).content.decode()
    assert "it only asks or greets, and states nothing" in page
    assert not Memory.objects.filter(owner=alice, layer="semantic").exists()


def test_long_threads_are_shown_a_page_at_a_time(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "Begin.", *[f"Line {number:03}." for number in range(60)])
    newest = page_of(alice_browser, thread)
    assert "Line 059." in newest
    assert "Line 030." not in newest
    link = newest.partition("?before=")[2].partition('"')[0]
    assert "Line 030." in page_of(alice_browser, thread, f"?before={link}")


def test_going_back_to_a_message_keeps_what_came_after_as_a_branch(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "Sail or row?", "Then we row.")
    assert "Branches" not in page_of(alice_browser, thread)
    first = Message.objects.get(thread=thread, content="Sail or row?")
    alice_browser.post(f"/threads/{thread.pk}/go-back/", {"message": str(first.pk)})
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Then we sail."})
    page = page_of(alice_browser, thread)
    assert 'dir="auto">Then we sail.</div>' in page
    assert 'dir="auto">Then we row.</div>' not in page
    alice_browser.post(f"/threads/{thread.pk}/go-back/", {"branch": str(thread.current_branch_id)})
    assert 'dir="auto">Then we row.</div>' in page_of(alice_browser, thread)


def test_summary_of_what_was_said_stands_first(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "We row on Sundays.")
    last = Message.objects.get(thread=thread)
    ThreadSummary.objects.create(
        owner=alice, thread=thread, last_message=last, content="Rowing <b>was</b> agreed."
    )
    assert "Rowing &lt;b&gt;was&lt;/b&gt; agreed." in page_of(alice_browser, thread)


def test_going_back_to_what_there_is_not_is_not_found(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread, other = thread_saying(alice, "One."), thread_saying(alice, "Other.")
    elsewhere = str(Message.objects.get(thread=other).pk)
    for form in ({}, {"branch": "none"}, {"branch": "a\0b"}, {"message": elsewhere}, {"message": "no id"}):
        assert alice_browser.post(f"/threads/{thread.pk}/go-back/", form).status_code == 404


def test_closing_a_temporary_thread_keeps_nothing(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "A secret present.", is_temporary=True)
    alice_browser.post(f"/threads/{thread.pk}/close/")
    assert not Message.objects.filter(thread=thread).exists()


def test_a_thread_is_renamed(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk, title="Sailing")
    alice_browser.post(f"/threads/{thread.pk}/rename/", {"title": "Rowing"})
    thread.refresh_from_db()
    assert thread.title == "Rowing"


def test_deleting_a_thread_asks_first(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk, title="Sailing")
    assert alice_browser.get(f"/threads/{thread.pk}/delete/").status_code == 200
    assert Thread.objects.filter(pk=thread.pk).exists()
    alice_browser.post(f"/threads/{thread.pk}/delete/")
    assert not Thread.objects.filter(pk=thread.pk).exists()


def test_anothers_thread_is_not_found(bob: User, alice_browser: Client, thread_saying: Say) -> None:
    thread = thread_saying(bob, "Mine alone.")
    message = Message.objects.get(thread=thread)
    places = ["", "delete/", "live/", "compare/", f"{message.pk}/text/", f"context/{message.pk}/"]
    reads = [f"/threads/{thread.pk}/{place}" for place in places]
    acts = ["say", "rename", "go-back", "close", "delete", "stop", f"{message.pk}/remember"]
    acts += [f"{message.pk}/{act}" for act in ("keep", "edit", "again")]
    assert {alice_browser.get(address).status_code for address in reads} == {404}
    form = {"content": "x", "wish": "no"}
    answers = [alice_browser.post(f"/threads/{thread.pk}/{act}/", form) for act in acts]
    assert {response.status_code for response in answers} == {404}
    assert Message.objects.filter(thread=thread, do_not_remember=False).count() == 1


def test_a_thread_asks_as_much_for_many_messages_as_for_few(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    counts = []
    for size in (2, 30):
        thread = thread_saying(alice, *[f"Line {number}." for number in range(size)])
        with CaptureQueriesContext(connection) as queries:
            page_of(alice_browser, thread)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_content_that_was_put_away_is_shown_whole(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk)
    long = "word " * 4_500 + "an otter"
    append_messages(thread.pk, [assistant_calls("c"), tool_answers("c", long)], owner=alice.pk)
    assert Message.objects.filter(thread=thread, is_compacted=True).exists()
    page = page_of(alice_browser, thread)
    assert "an otter" in page
    assert "_OFFLOADED_" not in page


def test_the_column_asks_as_much_for_many_threads_as_for_few(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    counts = []
    for size in (1, 12):
        for number in range(size):
            thread_saying(alice, f"Thread {number}.", "And more.")
        for address in ("/threads/", "/threads/?q=thread"):
            with CaptureQueriesContext(connection) as queries:
                assert alice_browser.get(address).status_code == 200
            counts.append(len(queries))
    assert counts[:2] == counts[2:]


def test_threads_are_found_by_title_and_by_what_was_said(
    alice: User, bob: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread_saying(alice, "Hello.", "The OTTER swam past the old mill.", title="Morning")
    create_thread(owner=alice.pk, title="Otters of Europe")
    thread_saying(alice, "Something else.")
    thread_saying(bob, "An otter of mine.")
    page = alice_browser.get("/threads/?q=otter").content.decode()
    assert page.count('class="thread-item"') == 2
    assert "The OTTER swam past the old mill." in page
    assert "of mine" not in page


def test_a_search_for_what_is_nowhere_says_so(alice_browser: Client) -> None:
    for words in ("nothing-like-it", "a%00b", "%25", "x" * 500):
        part = alice_browser.get(
            f"/threads/?q={words}", headers={"HX-Request": "true", "HX-Target": "thread-list"}
        )
        assert "No thread" in part.content.decode()
        assert "<html" not in part.content.decode()


def test_more_threads_are_a_link_away(alice: User, alice_browser: Client, thread_saying: Say) -> None:
    for number in range(25):
        thread_saying(alice, f"Thread {number:02}.")
    page = alice_browser.get("/threads/").content.decode()
    assert ("Thread 05." in page, "Thread 04." in page) == (True, False)
    link = page.partition('id="more"')[2].partition('href="')[2].partition('"')[0].replace("&amp;", "&")
    assert "Thread 04." in alice_browser.get(link).content.decode()


def test_a_link_to_an_old_message_opens_its_page(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, *(f"Number {number}." for number in range(60)))
    old = Message.objects.get(thread=thread, depth=10)
    page = page_of(alice_browser, thread, f"?message={old.pk}")
    assert f'id="message-{old.pk}"' in page
    assert "Number 58." not in page


def test_a_link_to_a_new_message_opens_the_newest_page(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, *(f"Number {number}." for number in range(60)))
    new = Message.objects.get(thread=thread, depth=57)
    assert "Number 58." in page_of(alice_browser, thread, f"?message={new.pk}")


def test_a_link_to_a_deleted_message_says_so(alice: User, alice_browser: Client, thread_saying: Say) -> None:
    thread = thread_saying(alice, "Hello.")
    page = page_of(alice_browser, thread, f"?message={thread.pk}")
    assert "it was deleted, or it is on another branch" in page


def test_a_thread_of_a_program_shows_what_the_program_calls_it(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk, external_id="chat-7")
    page = page_of(alice_browser, thread)
    assert "From a program" in page
    assert "chat-7" in page


def test_column_shows_the_words_of_an_answer_without_its_marks(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread_saying(alice, "When is high water?", "# Tides\n\nIt is at **11:04**, says `tide`. 2**8 is 256.")
    assert "Tides It is at 11:04, says tide. 2**8 is 256." in alice_browser.get("/threads/").content.decode()
