"""Threads on which streams, and answers that wait for a job, run their short pieces of work.

They are few and separate from the threads of ordinary requests, and each releases its database connection
after every piece. So a stream holds neither a thread nor a connection while its client reads, regardless of
how many streams are open and how they end.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, ParamSpec, TypeVar

from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")

#: Pieces that run at once in one process. More would only take interpreter time from ordinary requests.
STREAM_THREADS: Final = 4

#: Most threads that hold a connection at once among those that wait long for a model.
TURNS: Final = 4

_turns: Final = threading.BoundedSemaphore(TURNS)
_threads: Final = ThreadPoolExecutor(STREAM_THREADS, thread_name_prefix="stream")


async def in_stream_thread(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `call` on a stream thread and return its result; release the database connection afterwards.

    If cancelled before a thread is free, the call never runs. If cancelled later, it runs to its end and its
    result is dropped. Raises the errors of `call`.
    """
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, lambda: context.run(_freely, lambda: call(*args, **kwargs)))


@contextmanager
def turn() -> Iterator[None]:
    """Hold one of the `TURNS` database slots; release the connection at the end of the block.

    For threads that wait for a model between blocks. Inside a transaction, where the connection could not be
    released, this does nothing. Do not nest.
    """
    if connection.in_atomic_block:
        yield
        return
    with _turns:
        try:
            yield
        finally:
            connection.close()


def _freely(call: Callable[[], T]) -> T:
    try:
        return call()
    finally:
        connection.close()
