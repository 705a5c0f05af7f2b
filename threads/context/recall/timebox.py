"""Work that an answer waits for only so long."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

import structlog
from django.db import close_old_connections, connection, connections

from memsite.errors import MemsiteError
from threads.conf import RECALL_AT_ONCE

log = structlog.get_logger("threads.context.recall.timebox")

T = TypeVar("T")

#: Calls that still run after nobody waits any more take places, too.
_places: Final = threading.BoundedSemaphore(RECALL_AT_ONCE)


class TooLate(Exception):
    """There was no result in time. reason: a sentence fit to show."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Attempt(Generic[T]):
    """One call on a thread of its own, with a database connection of its own."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.call = call
        self.done = threading.Event()
        self.result: list[T] = []

    def run(self) -> None:
        try:
            self.result.append(self.call())
        except Exception as error:  # noqa: BLE001 - whatever fails here costs the result and nothing else
            log.warning("failed within its time box", error=type(error).__name__)
        finally:
            connections.close_all()
            self.done.set()
            _places.release()


def within(milliseconds: int, call: Callable[[], T]) -> T:
    """What `call` returns, if it does so in time; raises TooLate if it does not, or fails.

    The call runs on another thread, which goes on unheeded after the time is up; at most six do so at
    once. Inside a transaction it runs on the caller's own thread, for no other would see its rows:
    then a late result is dropped, not cut off.
    """
    if connection.in_atomic_block:
        return _on_this_thread(milliseconds, call)
    end = time.monotonic() + milliseconds / 1000
    # Two connections for one request could empty the pool: ours goes back while we wait.
    close_old_connections()
    if not _places.acquire(timeout=milliseconds / 1000):
        raise TooLate("too many others were at it")
    attempt = _Attempt(call)
    context = contextvars.copy_context()
    # A daemon: the site can end while a call hangs.
    threading.Thread(target=context.run, args=(attempt.run,), daemon=True).start()
    if not attempt.done.wait(max(0.0, end - time.monotonic())):
        raise TooLate(f"it took longer than {milliseconds} ms")
    if not attempt.result:
        raise TooLate("it failed")
    return attempt.result[0]


def _on_this_thread(milliseconds: int, call: Callable[[], T]) -> T:
    start = time.monotonic()
    try:
        result = call()
    except MemsiteError as error:
        raise TooLate("it failed") from error
    if (time.monotonic() - start) * 1000 > milliseconds:
        raise TooLate(f"it took longer than {milliseconds} ms")
    return result
