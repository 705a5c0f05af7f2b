"""Memories that wait for a decision."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.messages import get_messages

from memories.models import Memory
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.web.requests import undo_url_of
from threads.models import Message, Thread
from threads.visibility.provenance import make_reference

Wait = Callable[..., Memory]
Dispute = Callable[..., list[Memory]]

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def undo_address(response: Any) -> str:
    """The URL of the last notice's undo."""
    *_, message = get_messages(response.wsgi_request)
    return undo_url_of(message.extra_tags or "")


def status_of(memory: Memory) -> str:
    return str(Memory.objects.get(owner_id=memory.owner_id, pk=memory.pk).status)


def _write_pending(owner: User, content: str, *, thread: Thread | None = None, **fields: Any) -> Memory:
    messages = Message.objects.filter(thread=thread) if thread else ()
    sources = tuple(make_reference(message.pk) for message in messages)
    candidate = Candidate(content, sources=sources, **{"written_by": "rules", **fields})
    written = write_candidates([candidate], owner=owner.pk, actor="learning", pending=True)
    memory = written.outcomes[0].memory
    assert memory is not None
    assert memory.status == "pending"
    return memory


def _write_dispute(owner: User, *cities: str) -> list[Memory]:
    found = []
    for city in cities:
        home = Candidate(
            f"Alice lives in {city}.", subject="Alice", predicate="lives in", object=city, valid_from=BEGAN
        )
        memory = write_candidates([home], owner=owner.pk, actor="person").outcomes[0].memory
        assert memory is not None
        found.append(memory)
    return found


@pytest.fixture
def pending() -> Wait:
    """Write a memory that waits, with the messages of a thread as its sources."""
    return _write_pending


@pytest.fixture
def disputed() -> Dispute:
    """Write memories that cannot all be true: one home each, since the same day."""
    return _write_dispute
