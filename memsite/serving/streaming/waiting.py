"""Wait for a condition, without a thread if the server lets answers continue after their view.

The number of waiting answers per owner and process is limited (MEMSITE_WAITS): a wait is cheap, but it
queries the database again and again.
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
from memsite.serving.streaming.stream_threads import run_in_stream_thread

#: Seconds between two checks.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5
#: Seconds after which a slot may be free.
_RETRY_AFTER: Final = 1

#: Number of waiting answers by owner. Only the event loop uses it.
_waiting: Counter[UUID] = Counter()

#: Returns whether the wait is over.
Look = Callable[[], bool]


async def wait_in_loop(look: Look, seconds: float, *, owner: UUID) -> None:
    """Return when `look`, called on a stream thread, is true, or after so many seconds.

    Raises:
        TooManyRequests: If the owner has MEMSITE_WAITS waiting answers already.
    """
    with _place(owner):
        for pause in _pauses(seconds):
            await asyncio.sleep(pause)
            if await run_in_stream_thread(look):
                return


def wait_in_thread(look: Look, seconds: float) -> None:
    """Wait like `wait_in_loop`, on this thread: for servers that end an answer with its view."""
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
