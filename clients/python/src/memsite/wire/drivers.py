"""Run flows on httpx: one driver that blocks, one that is awaited."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio  # httpx requires it
import httpx

from memsite.errors import ConnectionFailed
from memsite.wire.calls import Answer, Call
from memsite.wire.flows import Close, Emit, Emits, Flow, NextPiece, Open, Pause, Policy, emit_value

T = TypeVar("T")

#: Errors that come before the request is sent.
_NOT_SENT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.InvalidURL,
    httpx.UnsupportedProtocol,
)
_PIECE: Final = 64 * 1024


class BlockingDriver:
    """Runs flows on an `httpx.Client`."""

    def __init__(self, http: httpx.Client, policy: Policy) -> None:
        self.http = http
        self.policy = policy

    def run(self, flow: Flow[T]) -> T:
        """Run a flow and return its result."""
        return next(self.iterate(emit_value(flow)))

    def iterate(self, flow: Emits[T]) -> Iterator[T]:
        """Run a flow and yield what it emits."""
        connection = _Connection(self.http)
        outcome: Any = None
        failure: ConnectionFailed | None = None
        try:
            while True:
                step = flow.throw(failure) if failure else flow.send(outcome)
                outcome = failure = None
                if isinstance(step, Emit):
                    yield step.value
                    continue
                try:
                    outcome = connection.do(step)
                except ConnectionFailed as error:
                    failure = error
        except StopIteration:
            return
        finally:
            flow.close()
            connection.close()


class AsyncDriver:
    """Runs flows on an `httpx.AsyncClient`."""

    def __init__(self, http: httpx.AsyncClient, policy: Policy) -> None:
        self.http = http
        self.policy = policy

    async def run(self, flow: Flow[T]) -> T:
        """Run a flow and return its result."""
        async with aclosing(self.iterate(emit_value(flow))) as values:
            return await anext(values)

    async def iterate(self, flow: Emits[T]) -> AsyncGenerator[T, None]:
        """Run a flow and yield what it emits."""
        connection = _AsyncConnection(self.http)
        outcome: Any = None
        failure: ConnectionFailed | None = None
        try:
            while True:
                try:
                    step = flow.throw(failure) if failure else flow.send(outcome)
                except StopIteration:
                    return
                outcome = failure = None
                if isinstance(step, Emit):
                    yield step.value
                    continue
                try:
                    outcome = await connection.do(step)
                except ConnectionFailed as error:
                    failure = error
        finally:
            flow.close()
            await connection.close()


class _Connection:
    """Does the steps of one flow."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._open: httpx.Response | None = None
        self._pieces: Iterator[bytes] = iter(())

    def do(self, step: Any) -> Any:
        if isinstance(step, Pause):
            return time.sleep(step.seconds)
        with _mapped_errors():
            if isinstance(step, NextPiece):
                return next(self._pieces, None)
            if isinstance(step, Close):
                return self.close()
            self.close()
            call = step.call
            content = None if call.file is None else _pieces_of(call.file)
            response = self._http.send(_request(self._http, call, content), stream=True)
            return self._read(response, is_left_open=isinstance(step, Open))

    def _read(self, response: httpx.Response, *, is_left_open: bool) -> Answer:
        if is_left_open and response.is_success:
            self._open, self._pieces = response, response.iter_bytes()
            return _answer(response, b"")
        try:
            return _answer(response, response.read())
        finally:
            response.close()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _AsyncConnection:
    """Does the steps of one flow."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._open: httpx.Response | None = None
        self._pieces: AsyncIterator[bytes] | None = None

    async def do(self, step: Any) -> Any:
        if isinstance(step, Pause):
            return await anyio.sleep(step.seconds)
        with _mapped_errors():
            if isinstance(step, NextPiece):
                return None if self._pieces is None else await anext(self._pieces, None)
            if isinstance(step, Close):
                return await self.close()
            await self.close()
            call = step.call
            content = None if call.file is None else _async_pieces_of(call.file)
            response = await self._http.send(_request(self._http, call, content), stream=True)
            return await self._read(response, is_left_open=isinstance(step, Open))

    async def _read(self, response: httpx.Response, *, is_left_open: bool) -> Answer:
        if is_left_open and response.is_success:
            self._open, self._pieces = response, response.aiter_bytes()
            return _answer(response, b"")
        try:
            return _answer(response, await response.aread())
        finally:
            await response.aclose()

    async def close(self) -> None:
        if self._open is not None:
            await self._open.aclose()
            self._open, self._pieces = None, None


def _request(http: httpx.Client | httpx.AsyncClient, call: Call[Any], content: Any) -> httpx.Request:
    headers = dict(call.headers or {})
    if call.file is not None:
        headers |= {
            "Content-Type": "application/octet-stream",
            "Content-Length": str(call.file.stat().st_size),
        }
    usual = http.timeout
    read = None if usual.read is None else usual.read + call.wait
    timeout = httpx.Timeout(connect=usual.connect, read=read, write=usual.write, pool=usual.pool)
    body = (
        {"content": content}
        if content is not None
        else {"json": call.json_body}
        if call.body is not None
        else {}
    )
    return http.build_request(
        call.method, call.path, params=call.query, headers=headers, timeout=timeout, **body
    )


def _answer(response: httpx.Response, body: bytes) -> Answer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status_code, headers, body)


@contextmanager
def _mapped_errors() -> Iterator[None]:
    """Raise `ConnectionFailed` in place of an error of httpx."""
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        text = f"Memsite did not answer: {type(error).__name__} {error}".strip()
        raise ConnectionFailed(text, may_have_arrived=not isinstance(error, _NOT_SENT)) from error


def _pieces_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


async def _async_pieces_of(path: Path) -> AsyncIterator[bytes]:
    async with await anyio.open_file(path, "rb") as file:
        while piece := await file.read(_PIECE):
            yield piece
