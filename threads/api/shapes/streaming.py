"""Send a reply as server-sent events or as a whole, read on a thread of its own.

The generator, with the model's stream, runs and ends on that thread. The event loop passes pieces on, and no
web thread waits. The thread shares database connections with other stream threads and holds none between
pieces. If the client disconnects, the generator is closed on that thread, so that what was produced is
stored.
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
    """Response of server-sent events.

    `begin` is called on the stream's thread and returns the pieces; `render` turns each into (event, data).
    """

    def __init__(self, begin: Begin[T], render: Callable[[T], tuple[str, Any]]) -> None:
        super().__init__(_events(begin, render), content_type="text/event-stream")
        self["Cache-Control"] = "no-cache"
        self["X-Accel-Buffering"] = "no"  # otherwise a proxy would buffer the pieces


class WholeStream(Response, Generic[T]):
    """Response with all pieces of `begin`, combined by `join` after the last one.

    Errors are rendered as for other requests.
    """

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


async def read(begin: Begin[T]) -> Any:  # noqa: ANN401 - an asynchronous generator of T, which the caller closes
    """Yield the pieces, read on a thread of their own. Raises what the generator raises."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Any] = asyncio.Queue()
    gone = threading.Event()

    def put(item: object) -> None:
        with suppress(RuntimeError):  # the loop is closed because the server stopped
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
    """Return one event as bytes. The JSON contains no line breaks."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
