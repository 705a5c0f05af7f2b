"""Web processes that share a listening socket share its connections, too."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import cast

import pytest
import uvloop

from memsite.serving.accepting import Acceptor


class Process:
    """Stands for a web process: an event loop in a thread that answers each connection with a letter."""

    def __init__(self, letter: str, listener: socket.socket) -> None:
        self.letter, self.listener = letter.encode(), listener.dup()
        self.connections = 0
        self._ready, self._loop = threading.Event(), uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=[self._accept()])
        self._thread.start()
        assert self._ready.wait(10)

    def close(self) -> None:
        """Accept no more connections."""
        closed = threading.Event()
        self._loop.call_soon_threadsafe(self._acceptor.close)
        self._loop.call_soon_threadsafe(closed.set)
        assert closed.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)
        self._loop.close()
        self.listener.close()

    async def _accept(self) -> None:
        self._stopped = asyncio.Event()
        self._acceptor = Acceptor(self.listener, lambda: Greeting(self), lambda: self.connections)
        self._ready.set()
        await self._stopped.wait()
        self._acceptor.close()


class Greeting(asyncio.Protocol):
    """Says which process has the connection, and keeps it open."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._process.connections += 1
        cast("asyncio.WriteTransport", transport).write(self._process.letter)

    def connection_lost(self, _error: Exception | None) -> None:
        self._process.connections -= 1


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server


def connect(listener: socket.socket, opened: ExitStack) -> str:
    """Open a connection until `opened` ends; return the letter of the process that has it."""
    client = opened.enter_context(socket.create_connection(listener.getsockname(), 10))
    return client.recv(1).decode()


@pytest.fixture
def start(listener: socket.socket) -> Iterator[Callable[[str], Process]]:
    """Start a process that stops in the end."""
    with ExitStack() as running:

        def start_one(letter: str) -> Process:
            process = Process(letter, listener)
            running.callback(process.stop)
            return process

        yield start_one


def test_connections_one_after_the_other_are_shared(
    listener: socket.socket, start: Callable[[str], Process]
) -> None:
    start("a")
    start("b")
    with ExitStack() as opened:
        found = Counter(connect(listener, opened) for _ in range(16))
    assert min(found["a"], found["b"]) >= 5


def test_connections_that_wait_already_are_accepted(
    listener: socket.socket, start: Callable[[str], Process]
) -> None:
    address = listener.getsockname()
    with ExitStack() as opened:
        clients = [opened.enter_context(socket.create_connection(address, 10)) for _ in range(16)]
        start("a")
        start("b")
        found = Counter(client.recv(1).decode() for client in clients)
    assert found.total() == 16


def test_process_alone_accepts_every_connection(
    listener: socket.socket, start: Callable[[str], Process]
) -> None:
    start("a")
    with ExitStack() as opened:
        begun = time.monotonic()
        assert {connect(listener, opened) for _ in range(30)} == {"a"}
        assert time.monotonic() - begun < 5


def test_closed_acceptor_leaves_connections_to_the_others(
    listener: socket.socket, start: Callable[[str], Process]
) -> None:
    start("b")
    start("a").close()
    with ExitStack() as opened:
        assert {connect(listener, opened) for _ in range(6)} == {"b"}
