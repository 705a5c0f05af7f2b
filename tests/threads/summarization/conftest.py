"""Fixtures of the summaries' tests: a thread, a function that appends messages, and a run of its job."""

from __future__ import annotations

import pytest

from memsite.accounts.models import User
from tests.threads.saying import user_says
from tests.threads.summarization.summing import Run, Say
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread
from threads.summarization.summarising import summarise_branch


@pytest.fixture
def thread(alice: User) -> Thread:
    """An empty thread of Alice's."""
    return create_thread(owner=alice.pk)


@pytest.fixture
def say(thread: Thread) -> Say:
    """Append so many numbered messages of the user, or the given ones."""

    def said(*what: int | str | NewMessage) -> list[Message]:
        start = Message.objects.filter(thread=thread).count()
        new: list[NewMessage] = []
        for one in what:
            if isinstance(one, int):
                new += [user_says(f"This is point {start + number}.") for number in range(1, one + 1)]
            else:
                new.append(user_says(one) if isinstance(one, str) else one)
        return list(append_messages(thread.pk, new, owner=thread.owner_id).messages)

    return said


@pytest.fixture
def run(thread: Thread) -> Run:
    """Summarise the thread as a job would."""
    return lambda **options: summarise_branch(thread.pk, owner=thread.owner_id, **options)
