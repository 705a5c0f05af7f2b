"""Requests through the ASGI application: whole answers, streams, and answers that wait."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import OperationalError, connection
from django.http import HttpResponse, StreamingHttpResponse

import memsite.llm.chat
import threads.replies
from memsite import asgi
from memsite.serving.streaming import threaded
from memsite.serving.streaming.stream_threads import STREAM_THREADS, run_in_stream_thread
from memsite.serving.streaming.threaded import ThreadedApplication
from memsite.web.health import native_health
from threads.api.shapes.streaming import EventStream


def scope(path: str, *headers: tuple[bytes, bytes]) -> Any:
    return {
        "type": "http",
        "path": path,
        "headers": [(b"host", b"localhost"), *headers],
        "method": "GET",
        "query_string": b"",
        "http_version": "1.1",
    }


def wsgi(response: Any) -> Callable[..., Any]:
    """A WSGI application that gives this response."""

    def application(_environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        start(f"{response.status_code} ?", list(response.items()))
        return response

    return application


def asked(application: Any, request: Any) -> ApplicationCommunicator:
    return ApplicationCommunicator(application, request)


def serving(response: Any) -> ApplicationCommunicator:
    application = ThreadedApplication(wsgi(response), threads=1, longest=1000)
    return asked(application, scope("/"))


async def answer_to(path: str, *headers: tuple[bytes, bytes]) -> int:
    connection: Any = asked(asgi.application, scope(path, *headers))
    await connection.send_input({"type": "http.request", "body": b""})
    answer = await connection.receive_output(10)
    await connection.wait(10)
    return int(answer["status"])


@pytest.mark.parametrize("headers", [(), ((b"transfer-encoding", b"chunked"),)])
def test_request_is_answered(headers: Any) -> None:
    assert asyncio.run(answer_to("/healthz", *headers)) == 200


class Pieces:
    """A stream that tells whether it was ended."""

    def __init__(self) -> None:
        self.sent = 0
        self.ended = threading.Event()

    async def __call__(self) -> AsyncIterator[bytes]:
        try:
            for number in range(3):
                self.sent = number + 1
                yield str(number).encode()
        finally:
            self.ended.set()


def test_stream_is_sent_in_pieces_and_ended() -> None:
    async def read() -> list[bytes]:
        connection: Any = serving(StreamingHttpResponse(pieces()))
        await connection.send_input({"type": "http.request", "body": b""})
        return [(await connection.receive_output(5)).get("body", b"") for _ in range(5)]

    pieces = Pieces()
    assert asyncio.run(read()) == [b"", b"0", b"1", b"2", b""]
    assert pieces.ended.is_set()


def test_stream_ends_when_its_client_goes_away() -> None:
    async def leave() -> None:
        connection: Any = serving(StreamingHttpResponse(endless()))
        await connection.send_input({"type": "http.request", "body": b""})
        await connection.receive_output(5)
        await connection.send_input({"type": "http.disconnect"})
        await connection.wait(5)

    async def endless() -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"more"
                await asyncio.sleep(0.01)
        finally:
            ended.set()

    ended = threading.Event()
    asyncio.run(leave())
    assert ended.is_set()


def test_stream_of_a_client_that_takes_nothing_is_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_message: Any) -> None:
        await asyncio.sleep(0 if _message["type"] == "http.response.start" else 60)

    async def request() -> Any:
        if asked_for_body:
            await asyncio.sleep(60)
        asked_for_body.append(True)
        return {"type": "http.request", "body": b""}

    asked_for_body: list[bool] = []
    monkeypatch.setattr(threaded, "STALLED_AFTER", 0.05)
    pieces = Pieces()
    stream = EventStream(pieces, lambda piece: ("piece", piece.decode()))
    application = ThreadedApplication(wsgi(stream), threads=1, longest=1000)

    async def serve() -> bool:
        with pytest.raises(TimeoutError):
            await application(scope("/"), request, never)
        return pieces.ended.is_set()  # at once, not when the iterator is collected

    assert asyncio.run(serve())


class Settling(HttpResponse):
    """A response that is whole a moment later."""

    async def settle(self) -> None:
        await asyncio.sleep(0.01)
        self.status_code, self.content = 201, b"there it is"


def test_answer_that_waited_is_sent_as_it_settled() -> None:
    async def read() -> tuple[Any, Any]:
        connection: Any = serving(Settling(b"wait", status=202, headers={"Content-Length": "4"}))
        await connection.send_input({"type": "http.request", "body": b""})
        return await connection.receive_output(5), await connection.receive_output(5)

    start, body = asyncio.run(read())
    assert (start["status"], body["body"]) == (201, b"there it is")
    assert dict(start["headers"])[b"content-length"] == b"11"


@pytest.mark.django_db(transaction=True)
def test_stream_threads_are_few_and_keep_no_connection() -> None:
    def work() -> tuple[int, Any]:
        connection.ensure_connection()
        return threading.get_ident(), connection.connection

    async def much() -> list[tuple[int, Any]]:
        return await asyncio.gather(*(run_in_stream_thread(work) for _ in range(40)))

    done = asyncio.run(much())
    assert len({thread for thread, _ in done}) <= STREAM_THREADS
    assert all(used.closed for _, used in done)


def test_health_is_answered_while_every_thread_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    def busy(_environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        free.wait(20)
        start("200 ?", [])
        return [b""]

    async def ask() -> int:
        request: Any = asked(asgi.application, scope("/"))
        await request.send_input({"type": "http.request", "body": b""})
        status = await answer_to("/healthz")
        free.set()
        await request.receive_output(10)
        return status

    monkeypatch.setattr(asgi, "_edge", ThreadedApplication(busy, threads=1, longest=1000))
    assert asyncio.run(ask()) == 200


def test_readiness_is_answered_while_the_database_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()
    monkeypatch.setattr(native_health, "READY_WITHIN", 0.05)
    monkeypatch.setattr(native_health, "readiness", lambda: free.wait(20) and (200, {}))
    try:
        assert asyncio.run(answer_to("/readyz")) == 503
    finally:
        free.set()


def test_clients_and_pool_are_closed_although_replies_cannot_be_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(_seconds: float) -> None:
        raise OperationalError("the database is gone")

    async def close_clients() -> None:
        closed.append("clients")

    async def live() -> None:
        server: Any = asked(asgi.application, {"type": "lifespan"})
        for event in ("startup", "shutdown"):
            await server.send_input({"type": f"lifespan.{event}"})
        await server.wait(10)

    closed: list[str] = []
    monkeypatch.setattr(asgi, "_warm_up", partial(asyncio.sleep, 0))
    monkeypatch.setattr(threads.replies, "hand_over", fail)
    monkeypatch.setattr(memsite.llm.chat, "close_clients", close_clients)
    database = SimpleNamespace(close_pool=lambda: closed.append("pool"))
    monkeypatch.setattr(asgi, "connections", {"default": database})
    with pytest.RaisesGroup(OperationalError, flatten_subgroups=True):  # MCP runs in a group of tasks
        asyncio.run(live())
    assert closed == ["clients", "pool"]
