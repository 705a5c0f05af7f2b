"""End connections that wait too long for a request, or that are too many of one address.

A client can open connections and never send a whole request; each of them holds an open file. A connection
waits from its beginning, or from the answer to its last request, until its next request is complete.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Seconds within which the headers of a request must be complete.
HEADERS_SECONDS: Final = 10.0
#: Seconds within which each piece of a body must arrive.
BODY_SECONDS: Final = 30.0
_LATE: Final = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 34\r\n"
    b"connection: close\r\n\r\nThe request did not come in time.\n"
)


def name_network(address: str) -> str:
    """Return the name of whoever has an address: an IPv6 client has a whole /64 network."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"


class WaitingConnections:
    """The connections of a process that wait for a request, by address. For one event loop.

    Args:
        most: Most of them of one address. A further one ends the one that has waited longest.
        most_open: Most connections of the process. From then on, each one that begins to wait ends the one
            that has waited longest, of whatever address.
    """

    def __init__(self, most: int, most_open: int) -> None:
        self._most = most
        self._most_open = most_open
        self._all: dict[TimedProtocol, None] = {}
        self._by_address: defaultdict[str, dict[TimedProtocol, None]] = defaultdict(dict)

    def add(self, connection: TimedProtocol, count: int) -> None:
        """Add a connection that begins to wait, where `count` are open in all."""
        of_address = self._by_address[connection.address]
        self._all[connection] = of_address[connection] = None
        if len(of_address) > self._most:
            self._end(next(iter(of_address)))
        elif count > self._most_open:
            self._end(next(iter(self._all)))

    def discard(self, connection: TimedProtocol) -> None:
        """Remove a connection that waits no more."""
        if connection in self._all:
            del self._all[connection]
            of_address = self._by_address[connection.address]
            del of_address[connection]
            if not of_address:
                del self._by_address[connection.address]

    def _end(self, connection: TimedProtocol) -> None:
        self.discard(connection)
        connection.end()


class TimedProtocol(HttpToolsProtocol):
    """uvicorn's connection, with limits of time, counted while it waits for a request.

    Attributes:
        address: Name of the client's network; empty before the connection is made, and for a socket of the
            file system.
    """

    def __init__(self, *args: Any, waiting: WaitingConnections, **named: Any) -> None:
        super().__init__(*args, **named)
        self._waiting = waiting
        self.address = ""
        self._timer: asyncio.TimerHandle | None = None
        self._reads_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows the type, too
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self.address = name_network(self.client[0]) if self.client else ""
        self._start_timer(HEADERS_SECONDS)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_timer()
        self._waiting.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a piece of a request."""
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._reads_body:
            self._start_timer(BODY_SECONDS)
            self._waiting.discard(self)
            self._wait()  # behind those that sent nothing for longer
        elif self.cycle is not None and not self.cycle.response_complete:
            self._stop_timer()
            self._waiting.discard(self)
        elif self._timer is None:
            self._start_timer(HEADERS_SECONDS)  # the headers of a further request began

    def on_headers_complete(self) -> None:
        """Begin to serve a request."""
        self._reads_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that a request is complete."""
        self._reads_body = False
        self._stop_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is there. uvicorn limits the time until it begins."""
        super().on_response_complete()
        if self.timeout_keep_alive_task is not None:
            self._wait()

    def end(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def _wait(self) -> None:
        if self.address:  # a socket of the file system has none
            self._waiting.add(self, len(self.connections))

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._end_late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_late(self) -> None:
        self._timer = None
        if self._reads_body and self.flow.read_paused:  # we are late, not the client
            self._start_timer(BODY_SECONDS)
        elif not self.transport.is_closing():
            if not self._reads_body:
                self.transport.write(_LATE)
            self.transport.close()
