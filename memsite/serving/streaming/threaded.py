"""Run views in threads under the ASGI server: one switch into a thread and one back per request.

a2wsgi builds the request's environment. Its own responder passes every part of body and answer from thread
to loop and waits for it. With several busy threads each wait is one for the interpreter's lock, and these
waits took more of a search's time than the search.

A view holds its thread until it returns. An answer that is not complete by then continues in the event loop:
an asynchronous stream is sent piece by piece, and a response with a coroutine `settle` is sent after that.
"""

from __future__ import annotations

import asyncio
import contextvars
import io
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import IO, Any, Final

from a2wsgi.wsgi import build_environ
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

WSGIApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[bytes, bytes]]

#: Key in a request's environment: the answer may continue after its view has returned.
MAY_GO_ON: Final = "memsite.may_go_on"
#: Key in a request's scope: the file that holds its body already.
BODY_FILE: Final = "memsite.body_file"
#: Seconds in which a client must accept a piece of a stream; otherwise it counts as gone.
STALLED_AFTER: Final = 120.0


@dataclass(slots=True)
class _Answer:
    """The application's answer.

    Attributes:
        rest: The response, if it is not complete yet.
    """

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: bytes = b""
    rest: Any = None

    def start(self, status: str, headers: list[tuple[str, str]], _exc_info: object = None) -> None:
        """Store status and headers (WSGI's start_response)."""
        self.status = int(status.split(" ", 1)[0])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


class ThreadedApplication:
    """Serves a WSGI application as ASGI. Each of up to `threads` concurrent requests has a thread of its own.

    A body longer than `longest` bytes is dropped; the application sees its length and refuses it.
    """

    def __init__(self, application: WSGIApplication, *, threads: int, longest: int) -> None:
        self._application = application
        self._longest = longest
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        given: Any = scope
        body, size = (given[BODY_FILE], 0) if BODY_FILE in given else await self._body(receive)
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._threads, context.run, self._answer, scope, body, size)
        if answer.rest is None:
            await _send_whole(answer, send)
        else:
            await _unless_gone(_send_rest(answer, send), receive, context)

    async def _body(self, receive: ASGIReceiveCallable) -> tuple[IO[bytes], int]:
        """Return the body, as far as it is kept, and its whole length."""
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
        return io.BytesIO(b"".join(parts)), size

    def _answer(self, scope: HTTPScope, body: IO[bytes], size: int) -> _Answer:
        environ: Any = build_environ(scope, body)  # type: ignore[arg-type]  # any readable will do
        environ.setdefault("CONTENT_LENGTH", str(size))  # chunked bodies send no length
        environ[MAY_GO_ON] = True
        answer = _Answer()
        response: Any = self._application(environ, answer.start)
        try:
            if getattr(response, "is_async", False) or hasattr(response, "settle"):
                answer.rest = response
            else:
                answer.body = b"".join(response)
        finally:  # also for an answer that continues: this releases the thread's database connection
            getattr(response, "close", lambda: None)()
        return answer


async def _send_whole(answer: _Answer, send: ASGISendCallable) -> None:
    start: Any = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    await send(start)
    body: Any = {"type": "http.response.body", "body": answer.body}
    await send(body)


async def _send_rest(answer: _Answer, send: ASGISendCallable) -> None:
    response = answer.rest
    if hasattr(response, "settle"):
        await response.settle()
        await _send_whole(_settled(answer), send)
        return
    start: Any = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    await send(start)
    try:
        async with aclosing(aiter(response)) as pieces:
            async for piece in pieces:
                part: Any = {"type": "http.response.body", "body": piece, "more_body": True}
                async with asyncio.timeout(STALLED_AFTER):
                    await send(part)
    finally:  # closing Django's iterator leaves the view's own open until it is collected
        if (source := getattr(response, "source", None)) is not None:
            await source.aclose()
    end: Any = {"type": "http.response.body", "body": b""}
    await send(end)


def _settled(answer: _Answer) -> _Answer:
    """Return the answer with its response's present status, headers and body; cookies written before are
    kept.
    """
    response = answer.rest
    headers = {name.lower(): value for name, value in response.items()}
    headers["content-length"] = str(len(response.content))
    cookies = [header for header in answer.headers if header[0] == b"set-cookie"]
    named = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    return _Answer(response.status_code, named + cookies, response.content)


async def _unless_gone(
    sending: Coroutine[Any, Any, None], receive: ASGIReceiveCallable, context: contextvars.Context
) -> None:
    """Send to the end, unless the client disconnects or the server stops first.

    The view's context says for whom the answer acts in the database.
    """
    task = asyncio.get_running_loop().create_task(sending, context=context)
    gone = asyncio.ensure_future(receive())  # after the body, only a disconnect can arrive
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in (gone, task):
            one.cancel()
        with suppress(asyncio.CancelledError):
            await task
