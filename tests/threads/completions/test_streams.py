"""Many streams at once."""

from __future__ import annotations

import threading

import pytest

from tests.llm_server import LLMServer, stream
from tests.threads.completions.calling import Caller
from threads.models import Message

pytestmark = pytest.mark.django_db

#: More than the threads of all pools together, which may start at any stream.
STREAMS = 24


def count_own_threads() -> int:
    """Return the number of threads without those of the scripted server, which has one a connection."""
    return sum("process_request" not in thread.name for thread in threading.enumerate())


def test_open_streams_hold_no_threads(alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.chat("Hi", stream=True)
    before, found = count_own_threads(), list[int]()
    models_configured.always(stream("One ", finish=None, then_hang=True))

    def all_are_open() -> bool:
        found.append(count_own_threads())
        return len(models_configured.chats) == STREAMS + 1

    said = alice_v1.stream_together(STREAMS, "Count", all_are_open)
    assert {one.status for one in said} == {200}
    assert max(found) - before < STREAMS / 2
    assert Message.objects.filter(role="assistant", state__cut="cut").count() <= STREAMS
