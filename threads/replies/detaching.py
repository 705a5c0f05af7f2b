"""Read a reply in a task of its own, so that it goes on when its page is closed or loaded again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, Final

import structlog

from threads.replies.pieces import Piece

log = structlog.get_logger("threads")

#: Tasks that run. The event loop keeps no reference to them.
reading_tasks: Final[set[asyncio.Task[None]]] = set()


class DetachedReply:
    """The pieces of a reply whose reader may leave. Created in the event loop; the reading begins at once."""

    def __init__(self, pieces: AsyncIterator[Piece]) -> None:
        self._queue: asyncio.Queue[Piece | Exception | None] = asyncio.Queue()
        self._is_left = False
        task = asyncio.create_task(self._read(pieces))
        reading_tasks.add(task)
        task.add_done_callback(reading_tasks.discard)

    async def pieces(self) -> AsyncIterator[Piece]:
        """Yield the pieces as they come. Raises what the reply raised."""
        try:
            while (piece := await self._queue.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            self._is_left = True

    async def _read(self, pieces: Any) -> None:  # noqa: ANN401 - an asynchronous generator, which is closed here
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    if not self._is_left:
                        self._queue.put_nowait(piece)
        except Exception as error:
            if self._is_left:
                log.exception("a reply broke off", kind=type(error).__name__)
            self._queue.put_nowait(error)
        self._queue.put_nowait(None)
