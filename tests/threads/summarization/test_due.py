"""When a summary is queued, and when it is not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memsite.accounts.models import User
from memsite.jobs.models import Job
from tests.threads.saying import user_says
from tests.threads.summarization.summing import Run, Say, stored
from threads.branches.branching import checkout_branch, create_branch
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread
from threads.storage.jobs import SUMMARISE_TASK
from threads.summarization.sweeping import queue_owed_summaries

pytestmark = pytest.mark.django_db


def queued() -> int:
    return Job.objects.filter(task=SUMMARISE_TASK, status="queued").count()


def switch(thread: Thread, **settings: bool) -> None:
    Thread.objects.filter(pk=thread.pk).update(settings=settings)


def test_tenth_message_queues_one_summary(say: Say) -> None:
    say(9)
    assert queued() == 0
    say(1)
    say(1)
    assert queued() == 1


def test_many_tokens_queue_a_summary(say: Say) -> None:
    say("word " * 3_100)
    assert queued() == 1


def test_count_of_messages_can_be_switched_off(thread: Thread, say: Say) -> None:
    switch(thread, summary_by_messages=False)
    say(30)
    assert queued() == 0
    say("word " * 3_100)
    assert queued() == 1


def test_count_of_tokens_can_be_switched_off(thread: Thread, say: Say) -> None:
    switch(thread, summary_by_tokens=False)
    say("word " * 3_100)
    assert queued() == 0


def test_summarised_messages_are_not_counted_again(say: Say, run: Run) -> None:
    say(10)
    run()
    Job.objects.all().delete()
    say(9)
    assert queued() == 0
    say(1)
    assert queued() == 1


def test_branch_counts_from_the_summary_before_its_fork(thread: Thread, say: Say, run: Run) -> None:
    rows = say(14)
    run()
    Job.objects.all().delete()
    create_branch(thread.pk, "aside", from_message=rows[7].pk, owner=thread.owner_id)
    checkout_branch(thread.pk, branch="aside", owner=thread.owner_id)
    say(1)
    assert queued() == 0
    say(1)
    assert queued() == 1


def test_append_that_is_not_due_asks_for_no_summary(say: Say) -> None:
    say(2)
    with CaptureQueriesContext(connection) as captured:
        say(1)
    assert not any("threads_threadsummary" in query["sql"] for query in captured)


def test_temporary_thread_never_has_a_job(alice: User) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    append_messages(thread.pk, [user_says(f"point {number}") for number in range(30)], owner=alice.pk)
    queue_owed_summaries(100)
    assert not Job.objects.exists()


def test_nothing_is_written_before_it_is_due(thread: Thread, say: Say, run: Run) -> None:
    say(9)
    assert run().summary is None
    assert stored(thread) == []


def test_force_summarises_what_is_not_due(thread: Thread, say: Say, run: Run) -> None:
    [message] = say("I want to plant bees' favourite flowers.")
    assert run(force=True).summary is not None
    assert stored(thread)[0].last_message_id == message.pk


def test_empty_thread_has_no_summary_even_by_force(run: Run) -> None:
    assert run(force=True).summary is None


def test_sweep_queues_what_is_owed(say: Say) -> None:
    say(10)
    Job.objects.all().delete()
    assert queue_owed_summaries(100) == 1
    assert queued() == 1


def test_sweep_leaves_conversations_of_long_ago_alone(say: Say) -> None:
    say(10)
    Job.objects.all().delete()
    Message.objects.update(created_at=timezone.now() - timedelta(days=8))  # as an import writes them
    assert (queue_owed_summaries(100), queued()) == (0, 0)
    say(1)
    assert queued() == 1


def test_sweep_leaves_what_is_done_alone(say: Say, run: Run) -> None:
    say(10)
    run()
    assert queue_owed_summaries(100) == 0


def test_hint_that_is_too_high_is_put_right(thread: Thread, say: Say, run: Run) -> None:
    say(5)
    Message.objects.filter(thread=thread).update(unsummarised=40)
    run()
    assert Message.objects.filter(thread=thread).order_by("-depth")[0].unsummarised == 5


def test_threads_that_switched_summaries_off_do_not_keep_others_from_theirs(
    alice: User, thread: Thread, say: Say
) -> None:
    say(10)
    Job.objects.all().delete()
    other = create_thread(owner=alice.pk)
    switch(other, summary_by_messages=False)
    append_messages(
        other.pk, [user_says("hello") for _ in range(10)], owner=alice.pk
    )  # newer, so it comes first
    assert queue_owed_summaries(1) == 1
    assert queued() == 1
