"""Accept connections so that the web processes of one listening socket share them evenly.

uvloop accepts all connections that wait, so that the process which wakes first gets them all, while the
others stay idle as long as these connections are kept alive. Here a process waits before it accepts, the
longer the more connections it has: a process with fewer accepts meanwhile. It then accepts some at once, the
more the more it has, so that a crowd need not wait.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final

import structlog

#: Seconds that a process waits for each connection that it has, and at most.
_WAIT_FOR_EACH: Final = 0.0003
_LONGEST_WAIT: Final = 0.003
#: Connections that a process accepts at most before it reads what they sent.
_AT_ONCE: Final = 64
#: Seconds until a process that can open no more files tries again.
_PAUSE: Final = 1.0
_log: Final = structlog.get_logger("memsite.serving")


class Acceptor:
    """Accepts connections on a listening socket until it is closed. Call it within an event loop.

    Args:
        listener: The socket, which other processes may share. It does not block any more.
        make_protocol: Makes the protocol of a connection.
        count: Returns how many connections this process has.
    """

    def __init__(
        self, listener: socket.socket, make_protocol: Callable[[], asyncio.Protocol], count: Callable[[], int]
    ) -> None:
        self._listener = listener
        self._make_protocol = make_protocol
        self._count = count
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.TimerHandle | None = None
        self._opening: set[asyncio.Task[Any]] = set()
        listener.settimeout(0)
        self._listen()

    def close(self) -> None:
        """Accept no more connections. Those that are open stay."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._loop.remove_reader(self._listener)

    @property
    def _connections(self) -> int:
        return self._count() + len(self._opening)

    def _listen(self) -> None:
        self._waiting = None
        self._loop.add_reader(self._listener, self._wait)

    def _wait(self) -> None:
        """Leave the connection to a process with fewer; accept it if it is still there after that."""
        seconds = min(_LONGEST_WAIT, _WAIT_FOR_EACH * self._connections)
        if seconds == 0:
            self._accept()
            return
        self._loop.remove_reader(self._listener)
        self._waiting = self._loop.call_later(seconds, self._accept_and_listen)

    def _accept_and_listen(self) -> None:
        self._listen()
        self._accept()

    def _accept(self) -> None:
        for _ in range(min(1 + self._connections // 2, _AT_ONCE)):
            try:
                connection, _address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return  # another process has it, or the client left
            except OSError as error:
                _log.error("no connection can be accepted", error=str(error))
                self._loop.remove_reader(self._listener)
                self._waiting = self._loop.call_later(_PAUSE, self._listen)
                return
            self._open(connection)

    def _open(self, connection: socket.socket) -> None:
        connection.settimeout(0)
        if connection.family in {socket.AF_INET, socket.AF_INET6}:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an answer waits 40 ms
        opening = self._loop.create_task(self._loop.connect_accepted_socket(self._make_protocol, connection))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)
