"""Read request bodies completely, with limits, before any view runs.

Django and WSGI read a body as it arrives: Django's ASGI handler writes it to a temporary file without a limit
before it looks at the request. Here a body is read on the event loop, so that a slow one holds no thread, and

* a body longer than `longest` bytes is refused with 413, whether or not its length was announced;
* a body longer than `ANONYMOUS_BYTES` is read only if the caller is authenticated (else 401);
* a body that arrives too slowly is refused with 408;
* the bytes that one caller, and all callers, may have in memory at once are limited (429, 503).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

from memsite.edge.refusals import refuse_request
from memsite.errors import InvalidInput, MemsiteError, TooLarge, TooManyRequests, TooSlow, Unavailable

#: The largest body, in bytes, of an unauthenticated caller: any form of the sign-in pages fits.
ANONYMOUS_BYTES: Final = 64 * 1024
#: Longest pause, in seconds, between parts of a body, and the lowest average rate in bytes per second.
LONGEST_PAUSE: Final = 20.0
SLOWEST_RATE: Final = 16 * 1024
#: How many bodies of the largest size one caller, and all callers of a process, may have in memory at once.
_AT_ONCE_FOR_ONE: Final = 2
_AT_ONCE_FOR_ALL: Final = 8

Application = Callable[[Any, Any, Any], Awaitable[None]]
#: Returns a name for the sender of a request. Raises a MemsiteError if there is none.
Identify = Callable[[HTTPScope], Awaitable[str]]


class Disconnected(Exception):
    """The client disconnected before its body was complete."""


@dataclass(slots=True)
class _Body:
    """The part of a body that has arrived. `caller` is set once it is larger than `ANONYMOUS_BYTES`."""

    started: float
    content: bytearray = field(default_factory=bytearray)
    caller: str | None = None
    counted: int = 0


class BoundedBodies:
    """An ASGI application (HTTP only) that passes complete, bounded bodies to another one.

    A chunked request is passed on with a content length, as if it had been sent that way.
    """

    def __init__(self, application: Application, *, longest: int, identify: Identify) -> None:
        self._application = application
        self._longest = longest
        self._identify = identify
        self._counted: Counter[str] = Counter()

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        body = _Body(asyncio.get_running_loop().time())
        try:
            announced = announced_length(scope)
            if announced != 0:
                await self._read(scope, receive, body, announced)
                scope = with_length(scope, len(body.content))
                receive = _replayed(body, receive)
        except MemsiteError as error:
            body.content.clear()
            await refuse_request(scope, receive, send, error, drain=2 * self._longest)
        except Disconnected:
            pass
        else:
            await self._application(scope, receive, send)
        finally:
            self._release(body)

    async def _read(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, body: _Body, announced: int | None
    ) -> None:
        if announced is not None:
            await self._admit(scope, body, announced)
        more = True
        while more:
            message = await receive_part(receive, body.started, len(body.content))
            part = message.get("body", b"")
            await self._admit(scope, body, len(body.content) + len(part))
            body.content += part
            self._count(body)
            more = message.get("more_body", False)

    async def _admit(self, scope: HTTPScope, body: _Body, size: int) -> None:
        """Raise a MemsiteError if a body may not become this large."""
        if size > self._longest:
            raise TooLarge(f"A request may have {self._longest // 1024**2} MB.", {"bytes": self._longest})
        if size > ANONYMOUS_BYTES and body.caller is None:
            body.caller = await self._identify(scope)
            body.started = asyncio.get_running_loop().time()

    def _count(self, body: _Body) -> None:
        """Count the bytes in memory; raise if this caller, or all together, have too many there."""
        if body.caller is None:
            return
        self._counted[body.caller] += len(body.content) - body.counted
        body.counted = len(body.content)
        if self._counted[body.caller] > _AT_ONCE_FOR_ONE * self._longest:
            raise TooManyRequests("Too many large requests at once; send one after another.", 1)
        if self._counted.total() > _AT_ONCE_FOR_ALL * self._longest:
            raise Unavailable("The site is reading too many large requests right now; try again.")

    def _release(self, body: _Body) -> None:
        if body.caller is not None:
            self._counted[body.caller] -= body.counted
            if not self._counted[body.caller]:
                del self._counted[body.caller]


async def receive_part(receive: ASGIReceiveCallable, started: float, size: int) -> Any:  # noqa: ANN401 - an ASGI message
    """Return the next part of a body.

    Args:
        receive: The request's ASGI callable.
        started: When the body began, by the loop's clock.
        size: How many bytes of it have arrived.

    Raises:
        TooSlow: If it takes too long.
        Disconnected: If the client is gone.
    """
    left = started + LONGEST_PAUSE + size / SLOWEST_RATE - asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(min(LONGEST_PAUSE, left)):
            message: Any = await receive()
    except TimeoutError:
        raise TooSlow("The request's body came too slowly.") from None
    if message["type"] != "http.request":
        raise Disconnected
    return message


def announced_length(scope: HTTPScope) -> int | None:
    """Return the length of a request's body in bytes: 0 without a body, None if it is not announced."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return None
    length = headers.get(b"content-length", b"0")
    if not length.isdigit():
        raise InvalidInput("Content-Length is not a number.")
    return int(length)


def with_length(scope: HTTPScope, length: int) -> HTTPScope:
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name not in {b"content-length", b"transfer-encoding"}
    ]
    return {**scope, "headers": [*headers, (b"content-length", str(length).encode())]}


def _replayed(body: _Body, receive: ASGIReceiveCallable) -> ASGIReceiveCallable:
    """Return a `receive` that gives the body once, and then whatever arrives after it."""
    given = False

    async def replay() -> Any:  # noqa: ANN401 - an ASGI message
        nonlocal given
        if given:
            return await receive()
        given, content = True, bytes(body.content)
        body.content.clear()
        return {"type": "http.request", "body": content, "more_body": False}

    return replay
