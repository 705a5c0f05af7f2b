"""Ordinary views in threads, under the ASGI server: one step into a thread and one back for each request.

a2wsgi makes the request's environment. Its own responder hands every part of body and answer from thread
to loop and waits for it; with several threads at work each such wait is one for the interpreter's lock, and
they took more of a search's time than the search.
"""

from __future__ import annotations

import asyncio
import contextvars
import io
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from a2wsgi.wsgi import build_environ
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

WSGIApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(slots=True)
class _Answer:
    """What the application answered. Answers are whole: what streams runs natively, not here."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    def start(self, status: str, headers: list[tuple[str, str]], _exc_info: object = None) -> None:
        """WSGI's start_response."""
        self.status = int(status.split(" ", 1)[0])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


class ThreadedApplication:
    """A WSGI application as an ASGI one. Each of `threads` requests at once has a thread of its own.

    A body longer than `longest` bytes is not read; the application sees its announced length and refuses it.
    """

    def __init__(self, application: WSGIApplication, *, threads: int, longest: int) -> None:
        self._application = application
        self._longest = longest
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        body = await self._body(receive)
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._threads, context.run, self._answer, scope, body)
        start: Any = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        await send(start)
        rest: Any = {"type": "http.response.body", "body": answer.body}
        await send(rest)

    async def _body(self, receive: ASGIReceiveCallable) -> bytes:
        parts: list[bytes] = []
        size = 0
        while True:
            message: Any = await receive()
            if message["type"] != "http.request":
                break
            size += len(message.get("body", b""))
            if size <= self._longest:
                parts.append(message.get("body", b""))
            if not message.get("more_body"):
                break
        return b"".join(parts)

    def _answer(self, scope: HTTPScope, body: bytes) -> _Answer:
        environ: Any = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type]  # any readable will do
        answer = _Answer()
        chunks = self._application(environ, answer.start)
        try:
            answer.body = b"".join(chunks)
        finally:
            getattr(chunks, "close", lambda: None)()
        return answer
