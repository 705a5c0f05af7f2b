"""Notice the first answer of the web processes without blocking."""

from __future__ import annotations

import contextlib
import select
import socket

_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


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
