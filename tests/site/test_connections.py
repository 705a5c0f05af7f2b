"""Connections without a whole request end, and leave room for others."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import Any

import pytest
import uvicorn
import uvloop

from memsite.serving import connections
from memsite.serving.accepting import Acceptor
from memsite.serving.connections import TimedProtocol, WaitingConnections, name_network

HEAD = b"GET / HTTP/1.1\r\nHost: a.example\r\n"
REQUEST = HEAD + b"\r\n"
UPLOAD = b"POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 10\r\n\r\n"

Connect = Callable[[], socket.socket]


async def _echo_length(_scope: Any, receive: Any, send: Any) -> None:
    """Answer with the length of the body."""
    size, more = 0, True
    while more:
        piece = await receive()
        size += len(piece.get("body", b""))
        more = piece.get("more_body", False)
    body = str(size).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Server:
    """A web process in a thread: three connections of an address may wait, five may be open in all."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._ready, self._loop = Event(), uvloop.new_event_loop()
        self._thread = Thread(target=self._loop.run_until_complete, args=[self._serve()])
        self._thread.start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)
        self._loop.close()
        self.listener.close()

    async def _serve(self) -> None:
        self._stopped = asyncio.Event()
        config = uvicorn.Config(_echo_length, http="httptools", lifespan="off", log_config=None)
        config.load()
        state = uvicorn.server.ServerState()
        waiting = WaitingConnections(most=3, most_open=5)

        def make() -> TimedProtocol:
            return TimedProtocol(config=config, server_state=state, app_state={}, waiting=waiting)

        acceptor = Acceptor(self.listener, make, lambda: len(state.connections))
        self._ready.set()
        await self._stopped.wait()
        acceptor.close()
        for one in list(state.connections):
            one.transport.abort()
        await asyncio.sleep(0)  # each then says that it is lost


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connect]:
    """Connect to a server that waits for 0.3 s where the site waits for 10 and 30."""
    monkeypatch.setattr(connections, "HEADERS_SECONDS", 0.3)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    server, opened = Server(), []

    def connection(address: str = "127.0.0.1") -> socket.socket:
        one = socket.create_connection(server.listener.getsockname(), timeout=5, source_address=(address, 0))
        opened.append(one)
        return one

    yield connection
    for one in opened:
        one.close()
    server.stop()


def read(connection: socket.socket) -> bytes:
    """Return what comes until the connection ends or pauses after an answer."""
    try:
        return connection.recv(4096)
    except ConnectionResetError:
        return b""


def test_connection_that_sends_nothing_ends(connect: Connect) -> None:
    began = time.monotonic()
    assert b"408" in read(connect())
    assert time.monotonic() - began < 4


def test_headers_that_do_not_end_get_408(connect: Connect) -> None:
    one = connect()
    one.sendall(HEAD)
    assert read(one).startswith(b"HTTP/1.1 408 ")
    assert read(one) == b""


def test_headers_that_drip_end_all_the_same(connect: Connect) -> None:
    one, ended = connect(), time.monotonic() + 4
    one.settimeout(0.05)
    one.sendall(HEAD + b"X-Drip: ")
    answer = b""
    while not answer and time.monotonic() < ended:
        one.sendall(b"a")
        try:
            answer = one.recv(4096)
        except TimeoutError:
            continue
    assert answer.startswith(b"HTTP/1.1 408 ")


def test_body_that_stops_coming_ends_the_connection(connect: Connect) -> None:
    one = connect()
    one.sendall(UPLOAD + b"12345")
    assert read(one) == b""


def test_body_that_keeps_coming_is_read_however_long_it_takes(connect: Connect) -> None:
    one = connect()
    one.sendall(UPLOAD)
    for _ in range(10):
        time.sleep(0.1)
        one.sendall(b"1")
    assert read(one).endswith(b"\r\n\r\n10")


def test_connection_that_is_used_again_has_its_time_anew(connect: Connect) -> None:
    one = connect()
    for _ in range(4):
        time.sleep(0.15)
        one.sendall(REQUEST)
        assert b"200 OK" in read(one)
    one.sendall(HEAD)
    assert read(one).startswith(b"HTTP/1.1 408 ")


def test_further_connection_of_an_address_ends_the_one_that_waits_longest(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADERS_SECONDS", 60.0)
    held = [connect() for _ in range(4)]
    assert read(held[0]) == b""
    held[3].sendall(REQUEST)
    held[1].sendall(REQUEST)
    assert b"200 OK" in read(held[3])
    assert b"200 OK" in read(held[1])


def test_other_addresses_keep_their_connections_up_to_the_limit_of_all(
    connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADERS_SECONDS", 60.0)
    held = [connect(f"127.0.0.{number}") for number in (2, 2, 3, 3, 4, 4)]
    assert read(held[0]) == b""
    for one in held[1:]:
        one.sendall(REQUEST)
        assert b"200 OK" in read(one)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unix", "unknown"),
    ],
)
def test_network_is_the_address_or_its_64_bits(address: str, network: str) -> None:
    assert name_network(address) == network
