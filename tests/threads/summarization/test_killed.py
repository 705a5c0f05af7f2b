"""A summariser killed at any statement leaves nothing that the next run does not put right."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections

from memsite.accounts.models import User
from memsite.jobs.models import Lease
from tests.threads.saying import user_says
from tests.threads.summarization.summing import stored
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread
from threads.summarization.summarising import summarise_branch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.kill]
MESSAGES = 60  # two windows


def killed_at(statement: int, thread: Thread) -> bool:
    """Summarise in a forked process that kills itself before its n-th statement; whether it came to that."""
    connections.close_all()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)
    count = Counter[str]()

    def wrapper(execute: Callable[..., Any], *args: Any) -> Any:
        count["statements"] += 1
        if count["statements"] == statement:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*args)

    try:
        signal.alarm(60)
        with connection.execute_wrapper(wrapper):
            summarise_branch(thread.pk, owner=thread.owner_id)
    finally:
        os._exit(0)


def test_summariser_killed_at_any_statement_ends_in_the_same_state(alice: User) -> None:
    statement, was_killed = 0, True
    contents = set()
    while was_killed:
        statement += 1
        thread = create_thread(owner=alice.pk)
        said = [user_says(f"This is point {number}.") for number in range(MESSAGES)]
        rows = append_messages(thread.pk, said, owner=alice.pk).messages
        was_killed = killed_at(statement, thread)
        Lease.objects.all().delete()  # as the end of the killed worker's job would
        summarise_branch(thread.pk, owner=alice.pk)
        if not stored(thread) or stored(thread)[-1].last_message_id != rows[-1].pk:
            summarise_branch(
                thread.pk, owner=alice.pk, force=True
            )  # fewer than ten were left: not due by themselves
        contents.add(tuple(row.content for row in stored(thread)))
        assert Message.objects.get(pk=rows[-1].pk).unsummarised == 0
    assert statement > 20
    assert len(contents) == 1
