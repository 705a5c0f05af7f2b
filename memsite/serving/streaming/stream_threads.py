"""Threads on which streams, and answers that wait for a job, run their short pieces of work.

They are few and separate from the threads of ordinary requests, and each releases its database connection
after every piece. So a stream holds neither a thread nor a connection while its client reads or its model
thinks, regardless of how many streams are open and how they end.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, ParamSpec, TypeVar

from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")

#: Short pieces, and long ones, that run at once in one process. More would only take interpreter time from
#: ordinary requests. The long ones have threads of their own, so that a thousand streams that begin do not
#: delay those that are about to end.
SHORT_THREADS: Final = 3
LONG_THREADS: Final = 2
STREAM_THREADS: Final = SHORT_THREADS + LONG_THREADS

_short: Final = ThreadPoolExecutor(SHORT_THREADS, thread_name_prefix="stream")
_long: Final = ThreadPoolExecutor(LONG_THREADS, thread_name_prefix="stream-long")
#: Runs the pieces in place of both pools; see `OwnLoop`.
instead: Final[contextvars.ContextVar[Executor | None]] = contextvars.ContextVar("instead", default=None)


async def run_in_stream_thread(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `call` on a stream thread and return its result; release the database connection afterwards.

    For calls of a few milliseconds. If cancelled before a thread is free, the call never runs. If cancelled
    later, it runs to its end and its result is dropped. Raises the errors of `call`.
    """
    return await _run(_short, lambda: call(*args, **kwargs))


async def run_in_long_thread(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `call` like `run_in_stream_thread`, on threads for calls of tens of milliseconds or more."""
    return await _run(_long, lambda: call(*args, **kwargs))


@contextmanager
def releasing() -> Iterator[None]:
    """Release the thread's database connection at the end of the block, unless it is in a transaction."""
    try:
        yield
    finally:
        if not connection.in_atomic_block:
            connection.close()


async def _run(pool: Executor, call: Callable[[], T]) -> T:
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(instead.get() or pool, lambda: context.run(_freely, call))


def _freely(call: Callable[[], T]) -> T:
    with releasing():
        return call()
