"""A generator of pieces as a stream of server-sent events, read on a thread of its own.

The database, the model and the generator's end belong to one thread; the event loop only hands pieces on.
When the client goes away the generator is closed there, so that what was produced is stored.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Final, TypeVar

import structlog
from django.db import connections
from django.http import StreamingHttpResponse

from memsite.errors import MemsiteError

T = TypeVar("T")
log = structlog.get_logger("threads")

_END: Final = object()


class EventStream(StreamingHttpResponse):
    """`begin` is called on the stream's thread and gives the pieces; `render` makes (event, data) of each."""

    def __init__(self, begin: Callable[[], Iterator[T]], render: Callable[[T], tuple[str, Any]]) -> None:
        super().__init__(_events(begin, render), content_type="text/event-stream")
        self["Cache-Control"] = "no-cache"
        self["X-Accel-Buffering"] = "no"  # or a proxy would hold the pieces back


async def _events(
    begin: Callable[[], Iterator[T]], render: Callable[[T], tuple[str, Any]]
) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Any] = asyncio.Queue()
    gone = threading.Event()

    def put(item: object) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, item)

    reader = threading.Thread(target=_read, args=(begin, render, put, gone), daemon=True)
    reader.start()
    try:
        while (item := await queue.get()) is not _END:
            yield item
    finally:
        gone.set()


def _read(
    begin: Callable[[], Iterator[T]],
    render: Callable[[T], tuple[str, Any]],
    put: Callable[[object], None],
    gone: threading.Event,
) -> None:
    pieces: Any = iter(())
    try:
        pieces = begin()
        for piece in pieces:
            put(event(*render(piece)))
            if gone.is_set():
                break
    except MemsiteError as error:
        put(event("error", error.as_json()))
    except Exception:
        log.exception("a stream broke off")
        put(event("error", {"code": "internal", "message": "Something went wrong.", "detail": None}))
    finally:
        getattr(pieces, "close", lambda: None)()
        connections.close_all()
        put(_END)


def event(name: str, data: object) -> bytes:
    """One event on the wire. JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
