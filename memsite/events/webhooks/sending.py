"""Send one message to one address, within 15 seconds in all, whatever the receiver does.

`requests_hardened` resolves the name once, refuses an address that is not public, and connects to exactly
that address. It follows no redirect. The timeouts of `requests` are for each read, so a receiver that sends a
byte now and then would hold the attempt for good: a timer closes its connection.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Any, Final

import requests
import structlog
from requests.adapters import HTTPAdapter
from requests_hardened import Config, HTTPSession
from requests_hardened.ip_filter import InvalidIPAddress
from requests_hardened.ip_filter_adapter import IPFilterAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, NameResolutionError

from memsite.errors import InvalidInput
from memsite.events.webhooks.destinations import Destination, RefusedAddress, check_url, is_public
from memsite.values import TextEnum

log = structlog.get_logger("memsite.events")

#: Seconds that an attempt may take in all.
TIMEOUT_SECONDS = 15.0
_CONNECT_SECONDS: Final = 10.0
#: Bytes of the answer's body that are read.
RESPONSE_BYTES: Final = 1024
_SUCCESS: Final = range(200, 300)
_REDIRECT: Final = range(300, 400)


class Failure(TextEnum):
    """Why an attempt failed."""

    STATUS = "status"  # an answer that is not 2xx
    REDIRECT = "redirect"
    TIMEOUT = "timeout"
    CONNECTION = "connection"  # refused, or closed without an answer
    NAME = "name"  # the name cannot be resolved
    TLS = "tls"
    REFUSED = "refused"  # by this site: the address is not public, or the URL is not allowed any more
    SECRET = "secret"  # noqa: S105 - the site cannot read the webhook's secret


@dataclass(frozen=True, slots=True)
class Message:
    """One signed HTTP message to a webhook.

    Attributes:
        headers: Those that identify and sign it.
        body: Exactly the bytes that were signed.
    """

    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an attempt.

    Attributes:
        failure: Why it failed; None if it succeeded.
        response: The beginning of the answer's body.
        retry_after: Seconds that the receiver asks the sender to wait.
    """

    failure: Failure | None
    status_code: int | None = None
    response: bytes = b""
    duration_ms: int = 0
    retry_after: float | None = None


def send_message(message: Message) -> Answer:
    """Send a message and return the result of the attempt. Raises nothing."""
    started = time.monotonic()
    failure, answer = None, None
    with _limit_time() as limit:
        try:
            answer = _request(message, check_url(message.url))
        except Exception as error:  # noqa: BLE001 - a receiver may answer anything
            failure = Failure.TIMEOUT if limit.is_over else _name_failure(error)
    took = int((time.monotonic() - started) * 1000)
    if failure is not None or answer is None:
        return Answer(failure or Failure.CONNECTION, duration_ms=took)
    return Answer(answer.failure, answer.status_code, answer.response, took, answer.retry_after)


def _request(message: Message, destination: Destination) -> Answer:
    with _open_session(destination) as session:
        response = session.post(
            destination.url,
            data=message.body,
            headers={**_HEADERS, **message.headers},
            stream=True,
            allow_redirects=False,
            timeout=(min(_CONNECT_SECONDS, TIMEOUT_SECONDS), TIMEOUT_SECONDS),
        )
        with response:
            if _current.limit.is_over:  # a connection that is closed within the headers looks like their end
                raise requests.Timeout
            return Answer(
                _judge_status(response.status_code),
                response.status_code,
                _read_beginning(response),
                retry_after=read_retry_after(response.headers.get("Retry-After", ""), datetime.now(UTC)),
            )


_HEADERS: Final = {
    "Content-Type": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "Memsite-Webhooks/1.0",
}


def _judge_status(status: int) -> Failure | None:
    if status in _SUCCESS:
        return None
    return Failure.REDIRECT if status in _REDIRECT else Failure.STATUS


def _read_beginning(response: requests.Response) -> bytes:
    """Return the beginning of the body as it was sent; what cannot be read counts as nothing."""
    try:
        return bytes(response.raw.read(RESPONSE_BYTES, decode_content=False))
    except (HTTPError, OSError, ValueError):
        return b""


def read_retry_after(value: str, now: datetime) -> float | None:
    """Return the seconds that a header `Retry-After` asks for; None if it says nothing that can be read."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return max((at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds(), 0.0)


def _name_failure(error: Exception) -> Failure:
    named: tuple[tuple[tuple[type[Exception], ...], Failure], ...] = (
        ((RefusedAddress, InvalidInput, InvalidIPAddress), Failure.REFUSED),
        ((requests.Timeout,), Failure.TIMEOUT),
        ((requests.exceptions.SSLError,), Failure.TLS),
    )
    for kinds, failure in named:
        if isinstance(error, kinds):
            return failure
    causes = (error.__cause__, getattr(error.args[0], "reason", None) if error.args else None)
    if any(isinstance(cause, socket.gaierror | NameResolutionError) for cause in causes):
        return Failure.NAME
    if not isinstance(error, requests.RequestException | HTTPError | OSError | ValueError):
        log.warning("a webhook could not be sent", kind=type(error).__name__)
    return Failure.CONNECTION


@dataclass(slots=True)
class _TimeLimit:
    """Closes the connections of one attempt when its time is over.

    Attributes:
        is_over: Whether it has.
        sockets: Duplicates of the sockets that the attempt has opened.
    """

    is_over: bool = False
    sockets: list[socket.socket] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def watch(self, opened: socket.socket) -> None:
        """Close this connection, too, when the time is over."""
        with self.lock:
            # A duplicate, because TLS takes the socket over before its handshake.
            self.sockets.append(socket.socket(fileno=os.dup(opened.fileno())))
        if self.is_over:
            self.end()

    def end(self) -> None:
        """End all connections: whoever reads from them gets an error at once."""
        with self.lock:
            self.is_over = True
            for one in self.sockets:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the duplicates."""
        with self.lock:
            for one in self.sockets:
                one.close()
            self.sockets.clear()


#: The limit of the attempt that runs in this thread.
_current = threading.local()


@contextmanager
def _limit_time() -> Iterator[_TimeLimit]:
    limit = _current.limit = _TimeLimit()
    timer = threading.Timer(TIMEOUT_SECONDS, limit.end)
    timer.daemon = True
    timer.start()
    try:
        yield limit
    finally:
        timer.cancel()
        limit.close()


class _PlainConnection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        opened = super()._new_conn()
        _current.limit.watch(opened)
        return opened


class _TlsConnection(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        opened = super()._new_conn()
        _current.limit.watch(opened)
        return opened


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


class _PublicAdapter(IPFilterAdapter):  # type: ignore[misc]  # the library has no types
    """Refuse also the addresses that `requests_hardened` lets through and `is_public` does not."""

    def build_connection_pool_key_attributes(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as there
        host, pool = super().build_connection_pool_key_attributes(*args, **kwargs)
        if not is_public(ip_address(host["host"].strip("[]"))):
            raise RefusedAddress("This address is not public.")
        return host, pool


def _limit_pools(adapter: HTTPAdapter) -> HTTPAdapter:
    """Close the connections of an adapter when the time of the attempt is over."""
    adapter.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _TlsPool}
    return adapter


def _open_session(destination: Destination) -> requests.Session:
    """Return a session for one request: no redirect, no proxy and no password from the environment."""
    config = Config(
        ip_filter_enable=not destination.is_named,
        ip_filter_allow_loopback_ips=False,
        never_redirect=True,
        default_timeout=(_CONNECT_SECONDS, TIMEOUT_SECONDS),
    )
    session: requests.Session = HTTPSession(config)
    session.trust_env = False
    for scheme in ("http", "https"):
        plain = HTTPAdapter() if destination.is_named else _PublicAdapter(is_https_proto=scheme == "https")
        session.mount(f"{scheme}://", _limit_pools(plain))
    return session
