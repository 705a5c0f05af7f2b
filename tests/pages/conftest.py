"""Memories and threads for tests of pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memories.models import Memory
from memories.values import Candidate, Writer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.values import MessageRole
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Thread

Remember = Callable[..., Memory]
Say = Callable[..., Thread]


def _remembered(owner: User, content: str, **fields: Any) -> Memory:
    candidate = Candidate(content=content, written_by=Writer.PERSON, **fields)
    memory = write_candidates([candidate], owner=owner.pk, actor="person").outcomes[0].memory
    assert memory is not None
    return memory


def _thread_saying(owner: User, *texts: str, **fields: Any) -> Thread:
    thread = create_thread(owner=owner.pk, **fields)
    append_messages(
        thread.pk, [NewMessage(role=MessageRole.USER, content=text) for text in texts], owner=owner.pk
    )
    return thread


@pytest.fixture
def remembered() -> Remember:
    """Write a memory of an owner."""
    return _remembered


@pytest.fixture
def thread_saying() -> Say:
    """Create an owner's thread with messages of theirs."""
    return _thread_saying
