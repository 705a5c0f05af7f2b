"""A summary covers what its path saw, no more; and is written anew when a message goes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any

import pytest
from django.db import connections

from memsite.jobs import LeaseBusy, run_due_jobs
from memsite.jobs.models import Job
from tests.llm_server import LLMServer, json_answer
from tests.threads.saying import assistant_calls, tool_answers, user_says
from tests.threads.summarization.summing import Run, Say, model_says, state_of, stored
from threads.branches.branching import checkout_branch, create_branch
from threads.messages.removal import close_thread, delete_message
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread
from threads.storage.path import load_path
from threads.storage.queries import find_nearest_summary
from threads.summarization import summarising
from threads.summarization.restoring import restore_summary
from threads.summarization.sweeping import queue_owed_summaries
from threads.summarization.text.by_model import summarise_by_model
from threads.summarization.text.loading import find_active_summary, find_place

pytestmark = pytest.mark.django_db


def test_summary_of_a_branch_never_covers_another_line(thread: Thread, say: Say, run: Run) -> None:
    rows = say("Shared words.", "Only main knows the heron.")
    run(force=True)
    create_branch(thread.pk, "aside", from_message=rows[0].pk, owner=thread.owner_id)
    checkout_branch(thread.pk, branch="aside", owner=thread.owner_id)
    say("Only the branch knows the otter.")
    summary = run(force=True).summary
    assert summary is not None
    assert "otter" in summary.content
    assert "heron" not in summary.content


def test_branch_uses_the_nearest_summary_among_its_ancestors(thread: Thread, say: Say, run: Run) -> None:
    rows = say(10)
    run()
    say(10)
    run()
    create_branch(thread.pk, "early", from_message=rows[9].pk, owner=thread.owner_id)
    place = find_place(
        checkout_branch(thread.pk, branch="early", owner=thread.owner_id).pk, None, owner=thread.owner_id
    )
    nearest = find_active_summary(place)
    assert nearest is not None
    assert nearest.last_message_id == rows[9].pk


def test_summarising_another_branch_leaves_the_task_state(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(json_answer(model_says("The user talks.", task_state={"current_goal": "aside"})))
    rows = say(10)
    other = create_branch(thread.pk, "aside", from_message=rows[5].pk, owner=thread.owner_id)
    run(branch=other.pk, force=True)
    assert state_of(thread) is None


def test_deleting_a_covered_message_makes_its_summary_stale(thread: Thread, say: Say, run: Run) -> None:
    rows = say("I keep a heron.", 9)
    run()
    delete_message(thread.pk, rows[0].pk, owner=thread.owner_id)
    assert stored(thread)[0].is_stale
    current = Thread.objects.select_related("current_branch__line", "current_branch__head").get(pk=thread.pk)
    assert find_nearest_summary(load_path(current.current_branch), owner=thread.owner_id) is None


def test_deleting_a_later_message_leaves_the_summary(thread: Thread, say: Say, run: Run) -> None:
    say(10)
    run()
    [later] = say(1)
    delete_message(thread.pk, later.pk, owner=thread.owner_id)
    assert not stored(thread)[0].is_stale


def test_stale_summary_is_written_anew_by_the_queued_job(thread: Thread, say: Say, run: Run) -> None:
    rows = say("I keep a heron.", 9)
    run()
    delete_message(thread.pk, rows[0].pk, owner=thread.owner_id)
    run_due_jobs()
    [row] = stored(thread)
    assert not row.is_stale
    assert "heron" not in row.content


def test_sweep_finds_stale_summaries(thread: Thread, say: Say, run: Run) -> None:
    rows = say(10)
    run()
    delete_message(thread.pk, rows[0].pk, owner=thread.owner_id)
    Job.objects.all().delete()
    assert queue_owed_summaries(100) == 1


def test_message_deleted_while_the_model_answers_is_not_in_the_summary(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = say("I keep a heron.", 9)
    models_configured.reply = lambda request: (
        '{"summary": "The user keeps a heron."}'
        if "heron" in request.prompt
        else '{"summary": "The user talks."}'
    )

    def slow(*args: Any) -> Any:
        made = summarise_by_model(*args)
        if Message.objects.filter(pk=rows[0].pk).exists():
            delete_message(thread.pk, rows[0].pk, owner=thread.owner_id)
        return made

    monkeypatch.setattr(summarising, "summarise_by_model", slow)
    run()
    assert [row.content for row in stored(thread)] == ["The user talks."]


def test_messages_said_while_the_model_answers_are_left_to_the_next(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = say(10)
    models_configured.always(json_answer(model_says("The user talks.")))

    def slow(*args: Any) -> Any:
        made = summarise_by_model(*args)
        say(3)
        return made

    monkeypatch.setattr(summarising, "summarise_by_model", slow)
    run()
    assert [row.last_message_id for row in stored(thread)] == [rows[-1].pk]
    assert Message.objects.filter(thread=thread).order_by("-depth")[0].unsummarised == 3


def test_temporary_thread_is_summarised_in_its_own_rows_alone(
    alice: Any, models_configured: LLMServer
) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    append_messages(thread.pk, [user_says("I keep a heron.")], owner=alice.pk)
    state = {"current_goal": "herons"}
    models_configured.always(json_answer(model_says("The user keeps a heron.", task_state=state)))
    summarising.summarise_branch(thread.pk, owner=alice.pk, force=True)
    assert stored(thread)[0].content == "The user keeps a heron."
    close_thread(thread.pk, owner=alice.pk)
    assert stored(thread) == []
    assert state_of(thread) is None
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_runs_at_once_write_one_summary(thread: Thread, say: Say, run: Run) -> None:
    say(10)

    def one(_: int) -> None:
        try:
            with suppress(LeaseBusy):  # on a busy machine another's turn may take longer than one waits
                run()
        finally:
            connections.close_all()

    context = copy_context()  # says for whom the database is asked
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: context.copy().run(one, number), range(4)))
    assert len(stored(thread)) == 1


def test_summary_whose_last_message_went_is_written_anew(thread: Thread, say: Say, run: Run) -> None:
    rows = say(10)
    run()
    delete_message(thread.pk, rows[-1].pk, owner=thread.owner_id)
    assert [(row.is_stale, row.last_message_id) for row in stored(thread)] == [(True, rows[-2].pk)]
    run_due_jobs()
    assert [(row.is_stale, row.last_message_id) for row in stored(thread)] == [(False, rows[-2].pk)]


def test_what_was_put_away_is_summed_up_by_its_own_words(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(json_answer(model_says("The user talks.")))
    call, result = say(assistant_calls("c"), tool_answers("c", "word " * 4_500 + "an otter"))
    assert (call.is_compacted, result.is_compacted) == (False, True)
    run(force=True)
    assert "an otter" in models_configured.chats[-1].prompt
    result.refresh_from_db()
    assert "otter" not in result.content


def test_summary_taken_back_is_not_written_anew_when_a_message_goes(
    thread: Thread, say: Say, run: Run
) -> None:
    rows = say("I keep a heron.", 9)
    taken = run().summary
    assert taken is not None
    restore_summary(thread.pk, taken.pk, owner=thread.owner_id)
    delete_message(thread.pk, rows[0].pk, owner=thread.owner_id)
    run_due_jobs()
    assert [(row.is_stale, row.undone_at is not None, row.content) for row in stored(thread)] == [
        (False, True, "")
    ]
