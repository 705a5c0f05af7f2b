"""Open streams of events through the site's ASGI application, and read them event by event."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from asgiref.testing import ApplicationCommunicator

from memsite import asgi
from memsite.serving.streaming import run_in_stream_thread

T = TypeVar("T")
PATIENCE = 120.0


@dataclass
class Block:
    """What was sent up to an empty line: an event, a number alone, or a comment."""

    id: int | None = None
    event: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    comment: bool = False


@dataclass
class Stream:
    """An open answer."""

    connection: Any
    status: int
    headers: dict[bytes, bytes]
    received: bytes = b""

    async def next_block(self) -> Block | None:
        """Return what is sent next; None at the end of the stream."""
        while b"\n\n" not in self.received:
            message = await self.connection.receive_output(PATIENCE)
            self.received += message.get("body", b"")
            if not message.get("more_body"):
                return None
        text, _, self.received = self.received.partition(b"\n\n")
        return read_block(text.decode())

    async def next_event(self) -> Block:
        """Return the next event; leave out comments and numbers alone."""
        while (block := await self.next_block()) is not None:
            if block.event:
                return block
        raise AssertionError("the stream ended")

    async def read_to_the_end(self) -> bytes:
        """Return all that follows."""
        while True:
            message = await self.connection.receive_output(PATIENCE)
            self.received += message.get("body", b"")
            if not message.get("more_body"):
                return self.received


def read_block(text: str) -> Block:
    block = Block()
    for line in text.split("\n"):
        name, _, value = line.partition(": ")
        match name:
            case "id":
                block.id = int(value)
            case "event":
                block.event = value
            case "data":
                block.data = json.loads(value)
            case "":
                block.comment = True
    return block


@asynccontextmanager
async def opened(key: str, query: str = "", **headers: str) -> AsyncIterator[Stream]:
    """Open `GET /api/events` with a key; disconnect at the end of the block."""
    named = {"authorization": f"Bearer {key}", **{n.replace("_", "-"): v for n, v in headers.items()}}
    scope: Any = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/api/events",
        "raw_path": b"/api/events",
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), *((n.encode(), v.encode()) for n, v in named.items())],
        "client": ("127.0.0.1", 4711),
        "server": ("127.0.0.1", 8000),
    }
    connection: Any = ApplicationCommunicator(asgi.application, scope)
    await connection.send_input({"type": "http.request", "body": b"", "more_body": False})
    start = await connection.receive_output(PATIENCE)
    stream = Stream(connection, start["status"], dict(start["headers"]))
    try:
        yield stream
    finally:
        await connection.send_input({"type": "http.disconnect"})
        with suppress(asyncio.CancelledError, TimeoutError):
            await connection.wait(PATIENCE)


async def do(act: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Call what uses the database on another thread, and release its connection."""
    return await run_in_stream_thread(lambda: act(*args, **kwargs))
