"""A reply as a stream of server-sent events, or whole, read on a thread of its own.

The model and the generator's end belong to that thread; the event loop hands pieces on, and no web thread
waits. The thread takes turns at the database with the others of its kind and keeps no connection in between.
When the client goes away the generator is closed there, so that what was produced is stored.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, suppress
from typing import Any, Final, Generic, TypeVar

import structlog
from django.db import connections
from django.http import StreamingHttpResponse
from rest_framework.response import Response

from memsite.errors import MemsiteError
from memsite.rest.errors import handle, translate
from memsite.serving.streaming import in_stream_thread, turn

T = TypeVar("T")
Begin = Callable[[], Iterator[T]]
log = structlog.get_logger("threads")

_END: Final = object()
_BUG: Final = MemsiteError("Something went wrong.")
_BUG.code = "internal"


class EventStream(StreamingHttpResponse):
    """`begin` is called on the stream's thread and gives the pieces; `render` makes (event, data) of each."""

    def __init__(self, begin: Begin[T], render: Callable[[T], tuple[str, Any]]) -> None:
        super().__init__(_events(begin, render), content_type="text/event-stream")
        self["Cache-Control"] = "no-cache"
        self["X-Accel-Buffering"] = "no"  # or a proxy would hold the pieces back


class WholeStream(Response, Generic[T]):
    """The pieces of `begin` in one answer, made by `join` when the last has come; errors as everywhere."""

    def __init__(self, begin: Begin[T], join: Callable[[Iterator[T]], dict[str, Any]]) -> None:
        super().__init__()
        self._begin, self._join = begin, join

    async def settle(self) -> None:
        """Wait in the event loop for the last piece."""
        try:
            async with aclosing(read(self._begin)) as coming:
                pieces = [piece async for piece in coming]
        except Exception as error:  # noqa: BLE001 - sorted there
            await in_stream_thread(self._fail, error)
        else:
            await in_stream_thread(self._become, 200, self._join(iter(pieces)))

    def _fail(self, error: Exception) -> None:
        failed = handle(error, {})
        if failed is None:
            log.error("a reply broke off", exc_info=error)
            self._become(500, _BUG.as_json())
        else:
            self._become(failed.status_code, failed.data)

    def _become(self, status: int, data: Any) -> None:  # noqa: ANN401 - any JSON value
        self.status_code, self.data = status, data
        self.content = self.rendered_content


async def _events(begin: Begin[T], render: Callable[[T], tuple[str, Any]]) -> AsyncIterator[bytes]:
    try:
        async with aclosing(read(begin)) as pieces:
            async for piece in pieces:
                yield event(*render(piece))
    except Exception as error:  # noqa: BLE001 - sorted there
        yield event("error", _told(error).as_json())


def _told(error: Exception) -> MemsiteError:
    known = translate(error)
    if known is None:
        log.error("a stream broke off", exc_info=error)
    return known or _BUG


async def read(begin: Begin[T]) -> Any:  # noqa: ANN401 - an asynchronous generator of T: it is closed
    """The pieces, read on a thread of their own. Raises there what the generator raises."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Any] = asyncio.Queue()
    gone = threading.Event()

    def put(item: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server stopped, and nobody listens
            loop.call_soon_threadsafe(queue.put_nowait, item)

    threading.Thread(target=_read, args=(begin, put, gone), daemon=True).start()
    try:
        while (item := await queue.get()) is not _END:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        gone.set()


def _read(begin: Begin[T], put: Callable[[object], None], gone: threading.Event) -> None:
    pieces: Any = iter(())
    try:
        with turn():
            pieces = begin()
        for piece in pieces:
            put(piece)
            if gone.is_set():
                break
    except Exception as error:  # noqa: BLE001 - raised again where the pieces are awaited
        put(error)
    finally:
        _close(pieces)
        put(_END)


def _close(pieces: Any) -> None:  # noqa: ANN401 - a generator, or a plain iterator
    try:
        getattr(pieces, "close", lambda: None)()
    except Exception:
        log.exception("what was produced of a reply could not be stored")
    finally:
        connections.close_all()


def event(name: str, data: object) -> bytes:
    """One event on the wire. JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
