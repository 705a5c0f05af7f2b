"""One reply: question stored, context, model, answer stored; whatever goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone
from pytest_django import Settings

from memories.values import Candidate
from memories.writing.pipeline import remember
from memsite.accounts.models import User
from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.jobs.models import Job
from tests.llm_server import LLMServer, broken_stream, status, stream
from threads.branches.branching import branch, checkout, undo
from threads.messages.removal import close, delete_message
from threads.messages.transcript import create_thread
from threads.models import Citation, Message, Reply, Thread
from threads.replies import chat
from threads.replies.chat import Begun, Delta, Ended, Piece, ask, regenerate, stop
from threads.storage.access import get_thread
from threads.storage.path import path_of
from threads.storage.queries import messages_on
from threads.tasks import sweep

pytestmark = pytest.mark.django_db(transaction=True)


def line_of(thread: Thread) -> list[str]:
    head = get_thread(thread.pk, owner=thread.owner_id).current_branch
    rows = messages_on(path_of(head), owner=thread.owner_id).order_by("depth")
    return list(rows.values_list("content", flat=True))


def ended(pieces: Iterator[Piece]) -> Ended:
    *_, last = pieces
    assert isinstance(last, Ended)
    return last


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Delta))


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
    remember([Candidate("My cat is called Momo.")], owner=thread.owner_id, actor="test")
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
    models_configured.script(stream("One ", "two ", "three"))
    pieces = ask(thread.pk, "Count", owner=thread.owner_id)
    while not isinstance(next(pieces), Delta):
        pass
    pieces.close()  # type: ignore[attr-defined]  # a generator
    assert line_of(thread) == ["Count", "One "]
    assert Reply.objects.get().status == "cut"


def test_stopped_answer_ends_with_what_there_is(thread: Thread, models_configured: LLMServer) -> None:
    models_configured.script(stream("One ", "two ", "three"))
    pieces = ask(thread.pk, "Count", owner=thread.owner_id)
    assert isinstance(next(pieces), Begun)
    stop(thread.pk, owner=thread.owner_id)
    assert ended(pieces).reply.status == "stopped"
    assert line_of(thread)[0] == "Count"


def test_answer_waits_for_a_database_that_is_away(
    thread: Thread, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away_at_first(*_: object, **__: object) -> None:
        for failure in failures:
            raise failure

    failures = iter([OperationalError("gone"), InterfaceError("closed")])
    monkeypatch.setattr(chat, "queue_extraction", away_at_first)
    monkeypatch.setattr(chat, "_STORE_PAUSE", 0.0)
    assert ended(ask(thread.pk, "Hi", owner=thread.owner_id)).reply.status == "done"
    assert line_of(thread) == ["Hi", "ok"]


def test_answer_whose_commit_was_not_confirmed_is_stored_once(
    thread: Thread, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_after_commit(*_: object, **__: object) -> None:
        transaction.on_commit(fail)

    def fail() -> None:
        raise OperationalError("no confirmation")

    monkeypatch.setattr(chat, "queue_extraction", fail_after_commit)
    monkeypatch.setattr(chat, "_STORE_PAUSE", 0.0)
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


def test_without_a_model_the_answer_says_so_and_what_is_remembered(thread: Thread) -> None:
    remember([Candidate("My cat is called Momo.")], owner=thread.owner_id, actor="test")
    last = ended(ask(thread.pk, "What is my cat called?", owner=thread.owner_id))
    assert last.answer is not None
    assert "No language model" in last.answer.content
    assert "Momo" in last.answer.content
    assert last.reply.source == "fallback"
    assert last.answer.do_not_remember


def test_without_a_model_chinese_is_answered_in_chinese(thread: Thread) -> None:
    last = ended(ask(thread.pk, "我的猫叫什么？", owner=thread.owner_id))
    assert last.answer is not None
    assert "没有配置语言模型" in last.answer.content


def test_citations_name_the_answer_they_stood_behind(thread: Thread, models_configured: LLMServer) -> None:
    remember([Candidate("My cat is called Momo.")], owner=thread.owner_id, actor="test")
    last = ended(ask(thread.pk, "What is my cat called?", owner=thread.owner_id))
    assert last.answer is not None
    assert Citation.objects.get().message_id == last.answer.pk


def test_answer_goes_where_the_question_stands(thread: Thread, models_configured: LLMServer) -> None:
    branch(thread.pk, "aside", owner=thread.owner_id)
    pieces = ask(thread.pk, "Hi", owner=thread.owner_id)
    checkout(thread.pk, branch="aside", owner=thread.owner_id)
    ended(pieces)
    assert line_of(thread) == []
    checkout(thread.pk, branch="main", owner=thread.owner_id)
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
    checkout(thread.pk, branch="main", owner=thread.owner_id)
    last = ended(pieces)
    assert line_of(thread) == ["Hi", "First."]
    assert last.answer is not None
    checkout(thread.pk, message=last.answer.pk, owner=thread.owner_id)
    assert line_of(thread) == ["Hi", "Second."]


def test_answer_to_a_question_that_was_undone_stays_with_it(
    thread: Thread, models_configured: LLMServer
) -> None:
    ended(ask(thread.pk, "Hi", owner=thread.owner_id))
    pieces = ask(thread.pk, "And?", owner=thread.owner_id)
    assert isinstance(next(pieces), Begun)
    undo(thread.pk, owner=thread.owner_id)
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
    close(thread.pk, owner=alice.pk)
    assert ended(pieces).answer is None
    assert not Message.objects.filter(thread=thread).exists()


def test_reply_whose_process_was_killed_is_ended_by_the_sweep(
    thread: Thread, models_configured: LLMServer
) -> None:
    running = ask(thread.pk, "Hi", owner=thread.owner_id)
    Reply.objects.update(created_at=timezone.now() - timedelta(hours=2))
    sweep()
    assert Reply.objects.get().status == "failed"
    assert ended(running).reply.status == "done"
    assert Reply.objects.get().status == "done"


def test_question_sent_again_while_it_is_answered_is_a_conflict(
    thread: Thread, models_configured: LLMServer
) -> None:
    running = ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a")
    with pytest.raises(Conflict):
        ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a")
    assert ended(running).reply.status == "done"
    assert line_of(thread) == ["Hi", "ok"]


def test_question_sent_again_after_its_reply_was_lost_is_answered(
    thread: Thread, models_configured: LLMServer
) -> None:
    ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a")
    Reply.objects.update(created_at=timezone.now() - timedelta(minutes=5))
    ended(ask(thread.pk, "Hi", owner=thread.owner_id, client_id="a"))
    assert line_of(thread) == ["Hi", "ok"]
