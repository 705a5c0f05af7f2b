"""What an open page is told: messages, drafts and memories that come from elsewhere."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.pages.conftest import Say
from threads.branches import get_current_branch
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages
from threads.models import Message, Reply, ReplyStatus, Thread
from threads.pages.live import ThreadFollower
from threads.storage.access import get_thread
from threads.visibility.provenance import make_reference


def follower(thread: Thread, after: Message | None = None, *, only_learnt: bool = False) -> ThreadFollower:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    found = get_thread(thread.pk, owner=thread.owner_id)
    return ThreadFollower(request, found, after.pk if after else None, only_learnt=only_learnt)


def look(follows: ThreadFollower) -> list[tuple[str, dict[str, Any]]]:
    """What one look brings: events with their data."""
    pairs = [event.decode().strip().split("\n") for event in follows.look()]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


def newest(thread: Thread) -> Message:
    return Message.objects.filter(thread=thread).latest("id")


def append(thread: Thread, text: str, role: str = "user") -> Message:
    message = NewMessage(role=role, content=text)  # type: ignore[arg-type]  # one of the roles
    return append_messages(thread.pk, [message], owner=thread.owner_id).messages[0]


def begun_reply(thread: Thread, draft: str = "") -> Reply:
    return Reply.objects.create(
        owner_id=thread.owner_id,
        thread=thread,
        question=newest(thread),
        branch_id=get_current_branch(thread).pk,
        draft=draft,
    )


def test_a_message_of_another_tab_comes(alice: User, thread_saying: Say) -> None:
    thread = thread_saying(alice, "First.")
    follows = follower(thread, newest(thread))
    assert look(follows) == []
    append(thread, "Second.")
    ((name, data),) = look(follows)
    assert name == "message"
    assert "Second.</div>" in data["html"]
    assert "First." not in data["html"]


def test_nothing_new_costs_two_statements(alice: User, thread_saying: Say) -> None:
    thread = thread_saying(alice, "First.")
    follows = follower(thread, newest(thread))
    look(follows)
    with CaptureQueriesContext(connection) as queries:
        assert look(follows) == []
    assert len(queries) == 2


def test_a_page_that_shows_another_line_is_told(alice: User, thread_saying: Say) -> None:
    thread, other = thread_saying(alice, "First."), thread_saying(alice, "Elsewhere.")
    assert look(follower(thread, newest(other))) == [("moved", {})]


def test_a_deleted_thread_is_told(alice: User, thread_saying: Say) -> None:
    thread = thread_saying(alice, "First.")
    follows = follower(thread, newest(thread))
    Thread.objects.filter(owner=alice, pk=thread.pk).delete()
    assert look(follows) == [("moved", {})]


def test_what_a_message_taught_comes_once(alice: User, thread_saying: Say) -> None:
    thread = thread_saying(alice, "I play the cello.")
    follows = follower(thread, newest(thread))
    look(follows)
    source = make_reference(newest(thread).pk)
    write_candidates([Candidate("Plays the cello.", sources=(source,))], owner=alice.pk, actor="learning")
    ((name, data),) = look(follows)
    assert (name, data["message"]) == ("learnt", str(newest(thread).pk))
    assert "Plays the cello." in data["html"]
    assert "Undo" in data["html"]
    assert look(follows) == []


def test_a_draft_is_followed_and_its_process_told(alice: User, thread_saying: Say) -> None:
    thread = thread_saying(alice, "Hello?")
    reply = begun_reply(thread, "It *be")
    follows = follower(thread, newest(thread))
    ((name, data),) = look(follows)
    assert name == "draft"
    assert "It *be</div>" in data["html"]
    reply.refresh_from_db()
    assert reply.followed_at is not None
    Reply.objects.filter(pk=reply.pk).update(draft="It *begins*.\n\nAnd")
    assert look(follows)[0][1]["html"] == "<p>It <em>begins</em>.</p>\n"


def test_a_reply_that_ends_without_an_answer_is_told(alice: User, thread_saying: Say) -> None:
    thread = thread_saying(alice, "Hello?")
    reply = begun_reply(thread)
    follows = follower(thread, newest(thread))
    look(follows)
    Reply.objects.filter(pk=reply.pk).update(status=ReplyStatus.FAILED)
    ((name, data),) = look(follows)
    assert name == "failed"
    assert "Try again" in data["html"]


def test_a_server_without_a_loop_does_not_stream(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "First.")
    assert alice_browser.get(f"/threads/{thread.pk}/live/").status_code == 204


def test_a_reply_whose_process_is_silent_can_be_tried_again(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "Hello?")
    reply = begun_reply(thread, "It begins")
    follows = follower(thread, newest(thread))
    look(follows)
    Reply.objects.filter(pk=reply.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    assert [name for name, _ in look(follows)] == ["silent"]
    page = alice_browser.get(f"/threads/{thread.pk}/").content.decode().partition('id="messages"')[2]
    assert "It begins" in page
    assert "Try again" in page


def test_a_page_that_reads_the_reply_itself_is_told_only_what_was_learnt(
    alice: User, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I play the cello.")
    begun_reply(thread, "It begins")
    follows = follower(thread, only_learnt=True)
    assert look(follows) == []
    source = make_reference(newest(thread).pk)
    write_candidates([Candidate("Plays the cello.", sources=(source,))], owner=alice.pk, actor="learning")
    assert [name for name, _ in look(follows)] == ["learnt"]
