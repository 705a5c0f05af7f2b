"""The site's listening socket: opened once, shared by all web processes, and asked until one answers."""

from __future__ import annotations

import contextlib
import errno
import select
import socket

_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class CannotListen(Exception):
    """The address cannot be used; the message says why and which setting to change."""


def open_listener(host: str, port: int, backlog: int = 2048) -> socket.socket:
    """Return a listening TCP socket.

    Connections made while no web process runs wait in the socket's queue instead of being refused.

    Raises:
        CannotListen: If the address is invalid, taken or not allowed.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise CannotListen(f"MEMSITE_HOST {host!r} is no address: {error.strerror}") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        raise CannotListen(_reason(error, host, port)) from None
    return listener


def _reason(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken by another program: choose another with PORT=…"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"port {port} of {host} may not be opened by this user: choose another with PORT=…"
    return f"cannot listen at {host}, port {port}: {error.strerror}"


class FirstAnswer:
    """One request to our own listening socket, where it waits until a web process accepts it."""

    def __init__(self, listener: socket.socket) -> None:
        self._family, self._address = listener.family, listener.getsockname()
        self._request: socket.socket | None = None

    def has_come(self) -> bool:
        """Return whether anything has been answered. Never blocks; sends a lost request again."""
        with contextlib.suppress(OSError):
            if self._request is None:
                self._request = socket.socket(self._family, socket.SOCK_STREAM)
                self._request.settimeout(1.0)
                self._request.connect(self._address)
                self._request.sendall(_REQUEST)
            if not select.select([self._request], [], [], 0)[0]:
                return False
            if self._request.recv(5) == b"HTTP/":
                self.close()
                return True
        self.close()
        return False

    def close(self) -> None:
        """Close the request's connection."""
        if self._request is not None:
            self._request.close()
        self._request = None
