"""The threads on which streams, and answers that wait for a job, do their short pieces of work.

They are few and apart from the threads of ordinary requests, and each gives its database connection back
after every piece. So a stream holds neither a thread nor a connection while its client reads, however many
streams are open and however they end.
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

#: Pieces at work at once in one process. More would only take the interpreter from ordinary requests.
STREAM_THREADS: Final = 4

#: Threads that wait for a model at length and take turns at the database: so many have a connection at once.
TURNS: Final = 4

_turns: Final = threading.BoundedSemaphore(TURNS)
_threads: Final = ThreadPoolExecutor(STREAM_THREADS, thread_name_prefix="stream")


async def in_stream_thread(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What `call` returns, run on a stream thread; its database connection is given back afterwards.

    Cancelled before a thread was free, the call never runs. Cancelled later, it runs to its end on its thread
    and its result is dropped. Raises what `call` raises.
    """
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, lambda: context.run(_freely, lambda: call(*args, **kwargs)))


@contextmanager
def turn() -> Iterator[None]:
    """One turn at the database on a thread that waits for a model in between; its connection is given back.

    Inside a transaction, where no connection could be given back, nothing is waited for. Turns do not nest.
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
