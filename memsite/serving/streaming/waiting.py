"""Waiting for something to come true, without a thread where the server lets an answer go on.

Each owner may have so many answers waiting in one process at a time (MEMSITE_WAITS): a wait costs little, but
it looks at the database again and again.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection

from memsite.errors import TooManyRequests
from memsite.serving.streaming.stream_threads import in_stream_thread

#: Seconds between two looks.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5
#: Seconds after which a place may have become free.
_RETRY_AFTER: Final = 1

#: Answers that wait, by owner. Only the event loop touches it.
_waiting: Counter[UUID] = Counter()

#: Whether the wait is over.
Look = Callable[[], bool]


async def wait_in_loop(look: Look, seconds: float, *, owner: UUID) -> None:
    """Return when `look`, asked on a stream thread, is true, or after so many seconds.

    Raises TooManyRequests when as many answers of the owner wait as may, and what `look` raises.
    """
    with _place(owner):
        for pause in _pauses(seconds):
            await asyncio.sleep(pause)
            if await in_stream_thread(look):
                return


def wait_here(look: Look, seconds: float) -> None:
    """The same on this thread, for servers under which an answer cannot go on."""
    for pause in _pauses(seconds):
        if not connection.in_atomic_block:
            connection.close()  # others need it meanwhile
        time.sleep(pause)
        if look():
            return


def _pauses(seconds: float) -> Iterator[float]:
    end = time.monotonic() + seconds
    pause = _FIRST_PAUSE
    while (left := end - time.monotonic()) > 0:
        yield min(pause, left)
        pause = min(pause * 1.5, _LONGEST_PAUSE)


@contextmanager
def _place(owner: UUID) -> Iterator[None]:
    if _waiting[owner] >= settings.MEMSITE_WAITS:
        message = f"{settings.MEMSITE_WAITS} requests of yours wait for their answers already."
        raise TooManyRequests(message, _RETRY_AFTER)
    _waiting[owner] += 1
    try:
        yield
    finally:
        _waiting[owner] -= 1
        if not _waiting[owner]:
            del _waiting[owner]
