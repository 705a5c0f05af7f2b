"""Run a function with a time limit on waiting for its result."""

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

#: Calls that still run after their time limit count as well.
_places: Final = threading.BoundedSemaphore(RECALL_AT_ONCE)


class TimeLimitExceeded(Exception):
    """There was no result in time. `reason` is a phrase that can be shown to users."""

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
        """Run the call, store its result, and release the connection and the slot."""
        try:
            self.result.append(self.call())
        except Exception as error:  # noqa: BLE001 - any failure only means that there is no result
            log.warning("failed within its time box", error=type(error).__name__)
        finally:
            connections.close_all()
            self.done.set()
            _places.release()


def start_within(milliseconds: int, call: Callable[[], T]) -> Callable[[], T]:
    """Start `call`, and return the function that waits for its result. Its time begins now.

    The call runs on another thread and is not stopped at the limit; its result is then ignored. At most
    RECALL_AT_ONCE calls run at once. Inside a transaction the call runs on the caller's thread, because
    another connection would not see the transaction's rows; a late result is then discarded only after the
    call returns.

    Raises:
        TimeLimitExceeded: If the call cannot be started, fails, or takes longer than `milliseconds`; here or
            when its result is waited for.
    """
    if connection.in_atomic_block:
        result = _on_this_thread(milliseconds, call)
        return lambda: result
    end = time.monotonic() + milliseconds / 1000
    # Return our connection to the pool while we wait: two connections per request could exhaust it.
    close_old_connections()
    if not _places.acquire(timeout=milliseconds / 1000):
        raise TimeLimitExceeded("too many others were at it")
    attempt = _Attempt(call)
    context = contextvars.copy_context()
    # A daemon thread, so that a hanging call does not keep the process from exiting.
    thread = threading.Thread(target=context.run, args=(attempt.run,), daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the system has no more threads
        _places.release()
        raise TimeLimitExceeded("it could not be started") from None

    def wait() -> T:
        if not attempt.done.wait(max(0.0, end - time.monotonic())):
            raise TimeLimitExceeded(f"it took longer than {milliseconds} ms")
        if not attempt.result:
            raise TimeLimitExceeded("it failed")
        return attempt.result[0]

    return wait


def _on_this_thread(milliseconds: int, call: Callable[[], T]) -> T:
    start = time.monotonic()
    try:
        result = call()
    except MemsiteError as error:
        raise TimeLimitExceeded("it failed") from error
    if (time.monotonic() - start) * 1000 > milliseconds:
        raise TimeLimitExceeded(f"it took longer than {milliseconds} ms")
    return result
