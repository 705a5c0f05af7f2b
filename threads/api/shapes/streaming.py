"""Send a reply as server-sent events or as a whole, read in the event loop.

If the client disconnects, the reply's iterator is closed, so that what was produced is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any, Final, Generic, TypeVar

import structlog
from rest_framework.response import Response

from memsite.errors import MemsiteError
from memsite.llm.chat import close_clients
from memsite.rest.errors import handle_exception, translate_error
from memsite.serving.streaming import EventStreamResponse, OwnLoop, encode_event, run_in_stream_thread

T = TypeVar("T")
#: Begins a reply, on a stream thread, and returns its pieces.
Begin = Callable[[], AsyncIterator[T]]
log = structlog.get_logger("threads")

_BUG: Final = MemsiteError("Something went wrong.")
_BUG.code = "internal"

#: Replies that are being ended. The event loop keeps no reference to its tasks.
_ending: Final[set[asyncio.Task[None]]] = set()


class EventStream(EventStreamResponse):
    """Response of server-sent events. `render` turns each piece into (event, data)."""

    def __init__(self, begin: Begin[T], render: Callable[[T], tuple[str, Any]]) -> None:
        super().__init__(_events(begin, render))


class WholeStream(Response, Generic[T]):
    """Response with all pieces of `begin`, combined by `join` after the last one.

    Errors are rendered as for other requests.
    """

    def __init__(self, begin: Begin[T], join: Callable[[Sequence[T]], dict[str, Any]]) -> None:
        super().__init__()
        self._begin, self._join = begin, join

    async def settle(self) -> None:
        """Wait in the event loop for the last piece."""
        try:
            pieces = await _collected(self._begin)
        except Exception as error:  # noqa: BLE001 - sorted there
            await run_in_stream_thread(self._fail, error)
        else:
            await run_in_stream_thread(self._become, 200, self._join(pieces))

    def _fail(self, error: Exception) -> None:
        failed = handle_exception(error, {})
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
        async with aclosing(_read(begin)) as pieces:
            async for piece in pieces:
                yield encode_event(*render(piece))
    except Exception as error:  # noqa: BLE001 - sorted there
        yield encode_event("error", _to_memsite_error(error).as_json())


def _to_memsite_error(error: Exception) -> MemsiteError:
    translated = translate_error(error)
    if translated is None:
        log.error("a stream broke off", exc_info=error)
    return translated or _BUG


def collect_on_this_thread(begin: Begin[T]) -> list[T]:
    """Return all pieces, on this thread: for servers under which an answer cannot continue after its view."""

    async def collect() -> list[T]:
        try:
            return await _collected(begin)
        finally:
            await close_clients()

    with OwnLoop() as loop:
        return loop.run(collect())


async def _collected(begin: Begin[T]) -> list[T]:
    async with aclosing(_read(begin)) as pieces:
        return [piece async for piece in pieces]


async def _read(begin: Begin[T]) -> Any:  # noqa: ANN401 - an asynchronous generator of T, which the caller closes
    """Yield the pieces. If this is closed or cancelled, the iterator is closed at once, too."""
    pieces: Any = await _begin_for_client(begin)
    async with aclosing(pieces):
        async for piece in pieces:
            yield piece


async def _begin_for_client(begin: Begin[T]) -> AsyncIterator[T] | None:
    """Return what `begin` returns.

    If this is cancelled because the client disconnects, the reply that begins meanwhile is ended. A reply
    that still waits for a thread never begins.
    """
    is_gone = False

    def begin_unless_gone() -> AsyncIterator[T] | None:
        return None if is_gone else begin()

    beginning = asyncio.create_task(run_in_stream_thread(begin_unless_gone))
    try:
        return await asyncio.shield(beginning)
    except asyncio.CancelledError:
        is_gone = True
        ending = asyncio.create_task(_end(beginning))
        _ending.add(ending)
        ending.add_done_callback(_ending.discard)
        await asyncio.shield(ending)
        raise


async def _end(beginning: asyncio.Task[Any]) -> None:
    """End a reply as soon as it has begun."""
    try:
        pieces = await beginning
        if pieces is not None:
            await pieces.aclose()
    except Exception as error:  # noqa: BLE001 - logged there if it is a bug; no client is left to answer
        _to_memsite_error(error)
