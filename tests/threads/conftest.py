"""Fixtures of the threads' tests: a thread of Alice's, and a function that appends messages to it."""

from __future__ import annotations

import pytest

from memsite.accounts.models import User
from tests.threads.saying import Talk, assistant_says, user_says
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread


@pytest.fixture
def thread(alice: User) -> Thread:
    """An empty thread of Alice's."""
    return create_thread(owner=alice.pk)


@pytest.fixture
def talk(thread: Thread) -> Talk:
    """Append to the thread; plain strings alternate between user and assistant."""

    def say(*said: str | NewMessage) -> list[Message]:
        turns = (user_says, assistant_says)
        new = [turns[place % 2](one) if isinstance(one, str) else one for place, one in enumerate(said)]
        return list(append_messages(thread.pk, new, owner=thread.owner_id).messages)

    return say
