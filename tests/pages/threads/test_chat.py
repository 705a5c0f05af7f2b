"""Asking and being answered on the page: as a form, as events, and when something goes wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.values import new_id
from tests.llm_server import LLMServer, broken_stream, status, stream
from tests.pages.conftest import Say
from threads.branches import get_current_branch
from threads.messages.transcript import create_thread
from threads.models import Message, Reply, ReplyStatus, Thread
from threads.pages import chat
from threads.replies import DetachedReply

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = {"Accept": "text/event-stream"}


def events_of(response: Any) -> list[tuple[str, dict[str, Any]]]:
    """The events of a response, in order."""
    blocks = response.content.decode().strip().split("\n\n")
    pairs = [block.split("\n") for block in blocks]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


def texts(thread: Thread) -> list[str]:
    return list(Message.objects.filter(thread=thread).order_by("id").values_list("content", flat=True))


def test_the_first_message_begins_a_thread(
    alice: User, alice_browser: Client, models_configured: LLMServer
) -> None:
    models_configured.script(stream("Hello."))
    response = alice_browser.post("/threads/new/", {"content": "Hi there"})
    thread = Thread.objects.get(owner=alice)
    answer = Message.objects.get(thread=thread, role="assistant")
    assert response["Location"] == f"/threads/{thread.pk}/#message-{answer.pk}"
    assert (thread.title, texts(thread)) == ("Hi there", ["Hi there", "Hello."])


def test_a_first_message_sent_twice_begins_one_thread(alice: User, alice_browser: Client) -> None:
    form = {"content": "Hi there", "client_id": str(new_id())}
    first, second = (alice_browser.post("/threads/new/", form)["Location"] for _ in range(2))
    assert first == second
    assert Thread.objects.filter(owner=alice).count() == 1


def test_the_same_id_of_two_people_begins_two_threads(alice_browser: Client, bob_browser: Client) -> None:
    form = {"content": "Hi there", "client_id": str(new_id())}
    places = {browser.post("/threads/new/", form)["Location"] for browser in (alice_browser, bob_browser)}
    assert len(places) == 2


def test_the_switch_makes_the_thread_temporary(alice: User, alice_browser: Client) -> None:
    alice_browser.post("/threads/new/", {"content": "Hush", "is_temporary": "on"})
    assert Thread.objects.get(owner=alice).is_temporary


def test_what_is_said_stands_as_it_was_written(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk)
    written = "  <b>first</b>\n    second  "
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": written.replace("\n", "\r\n")})
    assert texts(thread)[0] == written
    assert "<b>first" not in alice_browser.get(f"/threads/{thread.pk}/").content.decode()


@pytest.mark.parametrize("content", ["", " \n", "a\0b"])
def test_a_refused_form_comes_back_with_its_text(alice: User, alice_browser: Client, content: str) -> None:
    thread = create_thread(owner=alice.pk)
    for address in (f"/threads/{thread.pk}/say/", "/threads/new/"):
        response = alice_browser.post(address, {"content": content})
        assert response.status_code == 422
        assert 'role="alert"' in response.content.decode()
    assert texts(thread) == []


def test_a_refusal_is_a_sentence_for_a_script(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk)
    response = alice_browser.post(f"/threads/{thread.pk}/say/", {"content": " "}, headers=EVENTS)
    assert response.status_code == 422
    assert response.json() == {"message": "A message needs some words."}


def test_a_question_that_is_being_answered_is_known_to_be_stored(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = create_thread(owner=alice.pk)
    form = {"content": "Hi", "client_id": str(uuid4())}
    alice_browser.post(f"/threads/{thread.pk}/say/", form)
    Reply.objects.filter(thread=thread).update(
        status="running", answer=None, heartbeat_at=timezone.now() + timedelta(minutes=1)
    )
    response = alice_browser.post(f"/threads/{thread.pk}/say/", form, headers=EVENTS)
    assert (response.status_code, response.json()["url"]) == (409, f"/threads/{thread.pk}/")


def test_text_comes_back_where_the_database_does_not_answer(
    alice: User, alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object, **_keywords: object) -> None:
        raise OperationalError("gone")

    thread = create_thread(owner=alice.pk)
    monkeypatch.setattr(chat, "get_thread", fail)
    response = alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Long <thought>"})
    assert response.status_code == 503
    assert "Long &lt;thought&gt;</textarea>" in response.content.decode()


def test_closed_temporary_thread_gives_the_text_back(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    alice_browser.post(f"/threads/{thread.pk}/close/")
    assert alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Still there?"}).status_code == 409


def test_events_bring_the_question_the_growing_reply_and_the_message(
    alice: User, alice_browser: Client, models_configured: LLMServer
) -> None:
    models_configured.script(stream("A *first*", " block.\n\n", "And more"))
    thread = create_thread(owner=alice.pk)
    response = alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Hi"}, headers=EVENTS)
    events = events_of(response)
    assert events[0][0] == "question"
    assert "Hi</div>" in events[0][1]["html"]
    grown = "".join(data.get("html", "") for name, data in events if name == "grown")
    assert grown == "<p>A <em>first</em> block.</p>\n"
    assert events[-1][0] == "ended"
    assert "<p>And more</p>" in events[-1][1]["html"]


def test_a_question_sent_again_gets_the_same_answer(
    alice: User, alice_browser: Client, models_configured: LLMServer
) -> None:
    models_configured.script(stream("Once."), stream("Twice."))
    thread = create_thread(owner=alice.pk)
    form = {"content": "Hi", "client_id": str(uuid4())}
    for _ in range(2):
        response = alice_browser.post(f"/threads/{thread.pk}/say/", form, headers=EVENTS)
    assert "Once." in events_of(response)[-1][1]["html"]
    assert texts(thread) == ["Hi", "Once."]


def test_a_model_that_breaks_off_leaves_what_came_and_a_way_on(
    alice: User, alice_browser: Client, models_configured: LLMServer
) -> None:
    models_configured.script(broken_stream("It begins"))
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Hi"})
    page = alice_browser.get(f"/threads/{thread.pk}/").content.decode()
    assert "It begins" in page
    assert "It broke off here. What came is kept." in page
    assert "Try again" in page


def test_a_dead_model_is_answered_without_it(
    alice: User, alice_browser: Client, models_configured: LLMServer
) -> None:
    models_configured.always(status(400))
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Hi"})
    assert "did not answer" in alice_browser.get(f"/threads/{thread.pk}/").content.decode()


def test_a_message_that_nobody_asked_to_answer_is_no_failure_and_can_be_answered(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "Anyone?")
    page = alice_browser.get(f"/threads/{thread.pk}/").content.decode()
    question = Message.objects.get(thread=thread)
    note = page.partition('id="failed"')[2].partition("</li>")[0]
    assert f"/threads/{thread.pk}/{question.pk}/again/" in note
    assert "Answer this" in note
    assert "Try again" not in note
    alice_browser.post(f"/threads/{thread.pk}/{question.pk}/again/")
    assert len(texts(thread)) == 2


def test_a_question_whose_reply_failed_offers_to_try_again(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "Anyone?")
    Reply.objects.create(
        owner=alice,
        thread=thread,
        question=Message.objects.get(thread=thread),
        branch_id=get_current_branch(thread).pk,
        status=ReplyStatus.FAILED,
    )
    note = alice_browser.get(f"/threads/{thread.pk}/").content.decode().partition('id="failed"')[2]
    assert "There is no answer to this yet." in note
    assert "Try again" in note


def test_a_running_reply_shows_its_draft(alice: User, alice_browser: Client, thread_saying: Say) -> None:
    thread = thread_saying(alice, "Anyone?")
    Reply.objects.create(
        owner=alice,
        thread=thread,
        question=Message.objects.get(thread=thread),
        branch_id=get_current_branch(thread).pk,
        draft="One *done*.\n\nTwo is",
    )
    page = alice_browser.get(f"/threads/{thread.pk}/").content.decode()
    assert "<p>One <em>done</em>.</p>" in page
    assert '<div class="tail" data-tail>Two is</div>' in page
    assert "Try again" not in page.partition('id="messages"')[2]


def test_an_edited_message_begins_a_line_and_the_old_one_stays(
    alice: User, alice_browser: Client, models_configured: LLMServer
) -> None:
    models_configured.script(stream("Rowing it is."), stream("Sailing it is."))
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "I row."})
    question = Message.objects.get(thread=thread, content="I row.")
    address = f"/threads/{thread.pk}/{question.pk}/edit/"
    form = {"content": "I sail.", "client_id": str(new_id())}
    for _ in range(2):  # the second is the same request again
        alice_browser.post(address, form)
    page = alice_browser.get(f"/threads/{thread.pk}/").content.decode()
    assert "Sailing it is." in page
    assert "Rowing it is." not in page.partition('id="messages"')[2]
    assert "2/2" in page
    assert "2 messages on another branch" in page


def test_another_answer_stands_beside_the_first(
    alice: User, alice_browser: Client, models_configured: LLMServer
) -> None:
    models_configured.script(stream("First."), stream("Second."))
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Hi"})
    first = Message.objects.get(thread=thread, content="First.")
    alice_browser.post(f"/threads/{thread.pk}/{first.pk}/again/")
    assert "Second." in alice_browser.get(f"/threads/{thread.pk}/").content.decode()
    alice_browser.post(f"/threads/{thread.pk}/go-back/", {"through": str(first.pk)})
    page = alice_browser.get(f"/threads/{thread.pk}/").content.decode()
    assert "<p>First.</p>" in page
    assert "1/2" in page


def test_a_message_is_opened_for_editing_without_a_script(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I row.", "I swim.")
    first = Message.objects.filter(thread=thread).order_by("id")[0]
    page = alice_browser.get(f"/threads/{thread.pk}/?edit={first.pk}").content.decode()
    assert ">I row.</textarea>" in page
    response = alice_browser.post(f"/threads/{thread.pk}/{first.pk}/edit/", {"content": " "})
    assert response.status_code == 422


def test_without_a_model_a_statement_is_not_called_a_question(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "记住：我对猫毛过敏。"})
    answer = Message.objects.get(thread=thread, role="assistant").content
    assert "我会记住" in answer
    assert "问题" not in answer


def test_without_a_model_a_line_says_so(alice_browser: Client) -> None:
    assert "No language model is set up" in alice_browser.get("/threads/new/").content.decode()


def test_text_of_a_message_is_there_to_be_copied(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "**Not** <bold>")
    message = Message.objects.get(thread=thread)
    response = alice_browser.get(f"/threads/{thread.pk}/{message.pk}/text/")
    assert (response.content.decode(), response["Content-Type"]) == (
        "**Not** <bold>",
        "text/plain; charset=utf-8",
    )


def test_trying_again_keeps_what_a_killed_process_had_saved(
    alice: User, alice_browser: Client, thread_saying: Say, models_configured: LLMServer
) -> None:
    models_configured.script(stream("Whole."))
    thread = thread_saying(alice, "Anyone?")
    question = Message.objects.get(thread=thread)
    Reply.objects.create(
        owner=alice,
        thread=thread,
        question=question,
        branch_id=get_current_branch(thread).pk,
        draft="It beg",
        heartbeat_at=timezone.now() - timedelta(seconds=40),
    )
    alice_browser.post(f"/threads/{thread.pk}/{question.pk}/again/")
    page = alice_browser.get(f"/threads/{thread.pk}/").content.decode()
    assert "<p>Whole.</p>" in page
    assert "2/2" in page
    assert texts(thread) == ["Anyone?", "It beg", "Whole."]


def test_a_reply_goes_on_when_its_page_is_closed() -> None:
    async def read_one(events: Any) -> None:
        async with aclosing(events):
            await anext(events)
        await asyncio.sleep(0)

    async def go() -> None:
        pieces = DetachedReply(_pieces())
        await read_one(pieces.pieces())
        await ended.wait()

    async def _pieces() -> AsyncIterator[Any]:
        for number in range(3):
            yield number
            await asyncio.sleep(0)
        ended.set()

    ended = asyncio.Event()
    asyncio.run(asyncio.wait_for(go(), 5))


@pytest.mark.parametrize(
    ("preferences", "sentence"),
    [
        ({}, "is remembered for other threads. You see it"),
        ({"auto_extract": False}, "waits in your inbox"),
        ({"memory_on": False}, "Your memory is switched off"),
    ],
    ids=["learnt", "asked first", "off"],
)
def test_a_new_thread_tells_what_becomes_of_what_is_said(
    alice: User, alice_browser: Client, preferences: dict[str, Any], sentence: str
) -> None:
    set_preferences(alice.pk, **preferences)
    assert sentence in alice_browser.get("/threads/new/").content.decode()
