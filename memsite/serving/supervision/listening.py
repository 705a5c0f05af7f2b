"""The site's listening socket: opened once, shared by all web processes."""

from __future__ import annotations

import errno
import socket


class CannotListen(Exception):
    """The address cannot be used; the message says why and which setting to change."""


def listen(host: str, port: int, backlog: int = 2048) -> socket.socket:
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
