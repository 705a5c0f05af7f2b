"""One reply: question stored, context, model, answer stored; whatever goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from datetime import timedelta
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone
from pytest_django import Settings

from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.jobs.models import Job
from memsite.llm.chat import close_clients
from memsite.serving.streaming import OwnLoop, run_in_stream_thread
from tests.llm_server import LLMServer, broken_stream, status, stream
from tests.threads.asking import ask, ended, line_of, regenerate, text_of
from threads.branches.branching import checkout_branch, create_branch, undo_messages
from threads.messages.removal import close_thread, delete_message
from threads.messages.transcript import create_thread
from threads.models import Citation, Message, Reply, Thread
from threads.replies import ask_question, running, storing
from threads.replies.pieces import Begun, Delta
from threads.replies.replying import stop_replies
from threads.tasks import sweep_replies

pytestmark = pytest.mark.django_db(transaction=True)


def test_answer_is_streamed_and_stored(thread: Thread, models_configured: LLMServer) -> None:
    models_configured.script(stream("He", "llo."))
    pieces = list(ask(thread.pk, "Hi there", owner=thread.owner_id))
    assert text_of(pieces) == "Hello."
    assert line_of(thread) == ["Hi there", "Hello."]
    assert Reply.objects.get().status == "done"


def test_model_is_sent_the_context_with_the_input_last(thread: Thread, models_configured: LLMServer) -> None:
    ended(ask(thread.pk, "My cat is Momo", owner=thread.owner_id))
    ended(ask(thread.pk, "How old is she?", owner=thread.owner_id))
    sent = models_configured.chats[-1].messages
    assert [message["content"] for message in sent][-3:] == ["My cat is Momo", "ok", "How old is she?"]


def test_question_is_stored_before_the_model_answers(thread: Thread, models_configured: LLMServer) -> None:
    pieces = ask(thread.pk, "Hi", owner=thread.owner_id)
    assert line_of(thread) == ["Hi"]
    ended(pieces)


def test_failing_model_is_replaced_by_what_is_remembered(
    thread: Thread, models_configured: LLMServer
) -> None:
    write_candidates([Candidate("My cat is called Momo.")], owner=thread.owner_id, actor="test")
    models_configured.always(status(400))
    pieces = list(ask(thread.pk, "What is my cat called?", owner=thread.owner_id))
    last = ended(iter(pieces))
    assert (last.reply.status, last.reply.source) == ("done", "fallback")
    assert "400" in last.reply.error
    assert last.answer is not None
    assert last.answer.content == text_of(pieces)
    assert "did not answer" in last.answer.content
    assert "Momo" in last.answer.content
    assert last.answer.do_not_remember


def test_used_up_budget_is_named_in_the_answer(
    thread: Thread, models_configured: LLMServer, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_DAILY_TOKENS = 1
    ended(ask(thread.pk, "Hi", owner=thread.owner_id))
    last = ended(ask(thread.pk, "Hi again", owner=thread.owner_id))
    assert last.answer is not None
    assert "budget" in last.answer.content
    assert (last.reply.source, last.reply.status) == ("fallback", "done")
    assert "budget" in last.reply.error


def test_failing_model_is_named_in_chinese(thread: Thread, models_configured: LLMServer) -> None:
    models_configured.always(status(400))
    last = ended(ask(thread.pk, "我的猫叫什么？", owner=thread.owner_id))
    assert last.answer is not None
    assert "语言模型没有作出回答" in last.answer.content


def test_answer_broken_off_is_stored_as_cut(thread: Thread, models_configured: LLMServer) -> None:
    models_configured.script(broken_stream("Once upon"))
    last = ended(ask(thread.pk, "Tell", owner=thread.owner_id))
    assert last.answer is not None
    assert last.answer.content.startswith("Once")
    assert last.answer.state["cut"] == "cut"


def test_reader_gone_leaves_what_was_produced(thread: Thread, models_configured: LLMServer) -> None:
    models_configured.script(stream("One ", finish=None, then_hang=True))
    pieces = ask(thread.pk, "Count", owner=thread.owner_id)
    next(piece for piece in pieces if isinstance(piece, Delta))
    pieces.close()
    assert line_of(thread) == ["Count", "One "]
    assert Reply.objects.get().status == "cut"


def test_reply_closed_before_it_is_read_is_ended(thread: Thread, models_configured: LLMServer) -> None:
    with OwnLoop() as loop:
        pieces: Any = ask_question(thread.pk, "Count", owner=thread.owner_id, client_id="a")
        loop.run(pieces.aclose())
    assert Reply.objects.get().status == "failed"
    assert not models_configured.chats
    ended(ask(thread.pk, "Count", owner=thread.owner_id, client_id="a"))
    assert line_of(thread) == ["Count", "ok"]


def test_stopped_answer_ends_with_what_there_is(thread: Thread, models_configured: LLMServer) -> None:
    models_configured.script(stream("One ", finish=None, then_hang=True))
    pieces = ask(thread.pk, "Count", owner=thread.owner_id)
    while not isinstance(next(pieces), Delta):
        pass
    stop_replies(thread.pk, owner=thread.owner_id)
    assert ended(pieces).reply.status == "stopped"
    assert line_of(thread) == ["Count", "One "]


def test_answer_waits_for_a_database_that_is_away(
    thread: Thread, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away_at_first(*_: object, **__: object) -> None:
        for failure in failures:
            raise failure

    failures = iter([OperationalError("gone"), InterfaceError("closed")])
    monkeypatch.setattr(storing, "queue_extraction", away_at_first)
    monkeypatch.setattr(storing, "_STORE_PAUSE", 0.0)
    assert ended(ask(thread.pk, "Hi", owner=thread.owner_id)).reply.status == "done"
    assert line_of(thread) == ["Hi", "ok"]


def test_answer_whose_commit_was_not_confirmed_is_stored_once(
    thread: Thread, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_after_commit(*_: object, **__: object) -> None:
        transaction.on_commit(fail)

    def fail() -> None:
        raise OperationalError("no confirmation")

    monkeypatch.setattr(storing, "queue_extraction", fail_after_commit)
    monkeypatch.setattr(storing, "_STORE_PAUSE", 0.0)
    assert ended(ask(thread.pk, "Hi", owner=thread.owner_id)).answer is not None
    assert line_of(thread) == ["Hi", "ok"]


def test_regenerated_answer_stands_on_a_new_branch(thread: Thread, models_configured: LLMServer) -> None:
    models_configured.script(stream("First."), stream("Second."))
    ended(ask(thread.pk, "Hi", owner=thread.owner_id))
    ended(regenerate(thread.pk, owner=thread.owner_id))
    assert line_of(thread) == ["Hi", "Second."]
    assert Message.objects.filter(thread=thread).count() == 3


def test_nothing_to_answer_again_is_said(thread: Thread, models_configured: LLMServer) -> None:
    with pytest.raises((InvalidInput, NotFound)):
        regenerate(thread.pk, owner=thread.owner_id)


def test_question_sent_twice_is_answered_once(thread: Thread, models_configured: LLMServer) -> None:
    first = ended(ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a"))
    second = ended(ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a"))
    assert first.answer is not None
    assert second.answer is not None
    assert first.answer.pk == second.answer.pk
    assert len(models_configured.chats) == 1


def test_citations_name_the_answer_they_stood_behind(thread: Thread, models_configured: LLMServer) -> None:
    write_candidates([Candidate("My cat is called Momo.")], owner=thread.owner_id, actor="test")
    last = ended(ask(thread.pk, "What is my cat called?", owner=thread.owner_id))
    assert last.answer is not None
    assert Citation.objects.get().message_id == last.answer.pk


def test_answer_goes_where_the_question_stands(thread: Thread, models_configured: LLMServer) -> None:
    create_branch(thread.pk, "aside", owner=thread.owner_id)
    pieces = ask(thread.pk, "Hi", owner=thread.owner_id)
    checkout_branch(thread.pk, branch="aside", owner=thread.owner_id)
    ended(pieces)
    assert line_of(thread) == []
    checkout_branch(thread.pk, branch="main", owner=thread.owner_id)
    assert line_of(thread) == ["Hi", "ok"]


def test_temporary_thread_leaves_no_job(alice: User, models_configured: LLMServer) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    ended(ask(thread.pk, "Remember that I like tea", owner=alice.pk))
    assert not Job.objects.exists()
    assert not Citation.objects.exists()


def test_thread_of_another_is_not_there(thread: Thread, bob: User) -> None:
    with pytest.raises(NotFound):
        ask(thread.pk, "Hi", owner=bob.pk)


def test_answer_is_kept_though_its_branch_without_a_name_was_left(
    thread: Thread, models_configured: LLMServer
) -> None:
    models_configured.script(stream("First."), stream("Second."))
    ended(ask(thread.pk, "Hi", owner=thread.owner_id))
    pieces = regenerate(thread.pk, owner=thread.owner_id)
    assert isinstance(next(pieces), Begun)
    checkout_branch(thread.pk, branch="main", owner=thread.owner_id)
    last = ended(pieces)
    assert line_of(thread) == ["Hi", "First."]
    assert last.answer is not None
    checkout_branch(thread.pk, message=last.answer.pk, owner=thread.owner_id)
    assert line_of(thread) == ["Hi", "Second."]


def test_answer_to_a_question_that_was_undone_stays_with_it(
    thread: Thread, models_configured: LLMServer
) -> None:
    ended(ask(thread.pk, "Hi", owner=thread.owner_id))
    pieces = ask(thread.pk, "And?", owner=thread.owner_id)
    assert isinstance(next(pieces), Begun)
    undo_messages(thread.pk, owner=thread.owner_id)
    last = ended(pieces)
    assert line_of(thread) == ["Hi", "ok"]
    assert last.answer is not None
    assert last.answer.parent_id == last.reply.question_id


def test_answer_to_a_deleted_question_is_not_stored(thread: Thread, models_configured: LLMServer) -> None:
    pieces = ask(thread.pk, "Hi", owner=thread.owner_id)
    begun = next(pieces)
    assert isinstance(begun, Begun)
    delete_message(thread.pk, begun.question.pk, owner=thread.owner_id)
    assert ended(pieces).answer is None
    assert line_of(thread) == []


def test_temporary_thread_closed_while_it_is_answered_stays_empty(
    alice: User, models_configured: LLMServer
) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    pieces = ask(thread.pk, "Hi", owner=alice.pk)
    assert isinstance(next(pieces), Begun)
    close_thread(thread.pk, owner=alice.pk)
    assert ended(pieces).answer is None
    assert not Message.objects.filter(thread=thread).exists()


def lose_replies(**changes: Any) -> None:
    """Make every reply look as if its process had been killed some minutes ago."""
    Reply.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=2), **changes)


def test_reply_whose_process_was_killed_is_ended_by_the_sweep(
    thread: Thread, models_configured: LLMServer
) -> None:
    answering_still = ask(thread.pk, "Hi", owner=thread.owner_id)
    lose_replies()
    assert sweep_replies() == 1
    assert Reply.objects.get().status == "failed"
    assert ended(answering_still).reply.status == "done"
    assert Reply.objects.get().status == "done"


def test_reply_of_a_living_process_is_left_by_the_sweep(thread: Thread, models_configured: LLMServer) -> None:
    answering_still = ask(thread.pk, "Hi", owner=thread.owner_id)
    assert sweep_replies() == 0
    assert ended(answering_still).reply.status == "done"


def test_what_a_killed_process_saved_of_its_answer_is_kept(thread: Thread) -> None:
    ask(thread.pk, "Tell me of Momo", owner=thread.owner_id)
    lose_replies(draft="Momo is a ca")
    sweep_replies()
    reply = Reply.objects.get()
    assert line_of(thread) == ["Tell me of Momo", "Momo is a ca"]
    assert (reply.status, reply.draft, reply.answer.state["cut"]) == ("cut", "", "cut")


def test_what_was_saved_for_a_deleted_thread_is_dropped(thread: Thread) -> None:
    asked = ask(thread.pk, "Hi", owner=thread.owner_id)
    lose_replies(draft="Half an answ")
    delete_message(thread.pk, Reply.objects.get().question_id, owner=thread.owner_id)
    assert sweep_replies() == 0
    asked.close()


def test_running_answer_is_saved_as_a_draft(
    thread: Thread, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait_for_draft() -> None:
        while not await run_in_stream_thread(Reply.objects.filter(draft="One ").exists):  # noqa: ASYNC110 - a row
            await asyncio.sleep(0.01)

    monkeypatch.setattr(running, "STOP_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(running, "DRAFT_SECONDS", 0.0)
    models_configured.script(stream("One ", finish=None, then_hang=True))
    in_the_middle_of_an_answer(thread, wait_for_draft)
    assert Reply.objects.get().draft == ""


def test_answer_of_a_process_that_ends_is_handed_over(thread: Thread, models_configured: LLMServer) -> None:
    async def leave() -> None:
        await running.hand_over(0.0)
        await run_in_stream_thread(sweep_replies)

    models_configured.script(stream("One ", finish=None, then_hang=True))
    in_the_middle_of_an_answer(thread, leave)
    assert line_of(thread) == ["Count", "One "]
    assert Reply.objects.get().status == "cut"


def in_the_middle_of_an_answer(thread: Thread, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something after the first piece of an answer; then the reader goes away."""

    async def answer() -> None:
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, Delta):
                    await asyncio.wait_for(act(), 20)
                    return

    pieces: Any = ask_question(thread.pk, "Count", owner=thread.owner_id)
    with OwnLoop() as loop:
        loop.run(answer())
        loop.run(close_clients())


def test_question_sent_again_while_it_is_answered_is_a_conflict(
    thread: Thread, models_configured: LLMServer
) -> None:
    answering_still = ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a")
    with pytest.raises(Conflict):
        ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a")
    assert ended(answering_still).reply.status == "done"
    assert line_of(thread) == ["Hi", "ok"]


def test_question_sent_again_after_its_reply_was_lost_is_answered(
    thread: Thread, models_configured: LLMServer
) -> None:
    ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a")
    lose_replies()
    ended(ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a"))
    assert line_of(thread) == ["Hi", "ok"]
