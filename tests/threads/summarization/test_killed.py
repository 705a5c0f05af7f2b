"""A summariser killed at any statement leaves nothing that the next run does not put right."""

from __future__ import annotations

from functools import partial

import pytest

from memsite.accounts.models import User
from memsite.jobs.models import Lease
from tests.killing import is_killed_at
from tests.threads.saying import user_says
from tests.threads.summarization.summing import stored
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message
from threads.summarization.summarising import summarise_branch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.kill]
MESSAGES = 60  # two windows


def test_summariser_killed_at_any_statement_ends_in_the_same_state(alice: User) -> None:
    statement, was_killed = 0, True
    contents = set()
    while was_killed:
        statement += 1
        thread = create_thread(owner=alice.pk)
        said = [user_says(f"This is point {number}.") for number in range(MESSAGES)]
        rows = append_messages(thread.pk, said, owner=alice.pk).messages
        was_killed = is_killed_at(statement, partial(summarise_branch, thread.pk, owner=alice.pk))
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
