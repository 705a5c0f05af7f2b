"""Answers to requests that are refused before any view."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any, Final

import orjson
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.core.handlers.asgi import ASGIRequest

from memsite.errors import MemsiteError, NotAuthenticated, TooManyRequests
from memsite.web.errors import is_for_programs, render_bare_page

#: Seconds for which the rest of a refused body is read and dropped: in total, and without any part of it.
_DRAIN_SECONDS: Final = 10.0
_DRAIN_PAUSE: Final = 2.0


async def refuse_request(
    scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable, error: MemsiteError, *, drain: int
) -> None:
    """Answer with an error and close the connection.

    The rest of the body is read and dropped for a while, because many clients read the answer only after they
    have sent everything, and would see a broken connection instead.

    Args:
        scope: The request.
        receive: Its ASGI callable.
        send: Its ASGI callable.
        error: The error to answer with.
        drain: Most bytes to read and drop.
    """
    kind, body = _rendered(scope, error)
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if isinstance(error, NotAuthenticated):
        headers.append((b"www-authenticate", b"Bearer"))
    if isinstance(error, TooManyRequests):
        headers.append((b"retry-after", str(error.retry_after).encode()))
    start: Any = {"type": "http.response.start", "status": error.status, "headers": headers}
    await send(start)
    answer: Any = {"type": "http.response.body", "body": body, "more_body": True}
    await send(answer)
    await _drain(receive, drain)
    end: Any = {"type": "http.response.body", "body": b"", "more_body": False}
    await send(end)


def _rendered(scope: HTTPScope, error: MemsiteError) -> tuple[bytes, bytes]:
    """Return the content type and the body of an error's answer."""
    if is_for_programs(scope["path"]):
        return b"application/json", orjson.dumps(error.as_json())
    request = ASGIRequest(scope, BytesIO())
    return b"text/html; charset=utf-8", render_bare_page(request, error).encode()


async def _drain(receive: ASGIReceiveCallable, most: int) -> None:
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            while most > 0:
                async with asyncio.timeout(_DRAIN_PAUSE):
                    message: Any = await receive()
                most -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return
