"""Run a coroutine for a caller that has no event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self, TypeVar

from memsite.serving.streaming.stream_threads import instead

T = TypeVar("T")


class OwnLoop:
    """An event loop on a thread of its own, for servers and tests without one.

    What a coroutine runs `run_in_stream_thread` runs on the thread that waits for the coroutine, with its
    database connection and transaction.
    """

    def __init__(self) -> None:
        self._caller = _CallerExecutor()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.run(self._loop.shutdown_asyncgens())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return the coroutine's result, or raise its error."""
        done = asyncio.run_coroutine_threadsafe(self._run_on_caller(coroutine), self._loop)
        self._caller.work_until(done)
        return done.result()

    async def _run_on_caller(self, coroutine: Coroutine[Any, Any, T]) -> T:
        instead.set(self._caller)
        return await coroutine


class _CallerExecutor(Executor):
    """Runs what other threads submit on the thread that calls `work_until`."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def submit(self, call: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(call(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
                future.set_exception(error)

        self._queue.put(run)
        return future

    def work_until(self, done: Future[Any]) -> None:
        """Run what is submitted until this future is done."""
        done.add_done_callback(lambda _: self._queue.put(None))
        while (run := self._queue.get()) is not None:
            run()
