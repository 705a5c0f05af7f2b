"""A receiver of webhooks on loopback, which answers by a script: it accepts, fails, hangs, redirects, drips.

with Receiver() as receiver:
    receiver.script(status(500), hang)      # one step per request, in order; then 204
    ...
    receiver.requests[0].body
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Received:
    """A request as it came. Names of headers are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes


Step = Callable[["Receiver", BaseHTTPRequestHandler], None]


def status(code: int, body: bytes = b"", **headers: str) -> Step:
    """Answer with a status, a body and headers."""

    def answer(_receiver: Receiver, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def hang(receiver: Receiver, _handler: BaseHTTPRequestHandler) -> None:
    """Answer nothing until the test ends."""
    receiver.closing.wait(30)


def drip(receiver: Receiver, handler: BaseHTTPRequestHandler) -> None:
    """Send a byte of a header now and then, so that no single read takes long."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not receiver.closing.wait(0.05):
        handler.wfile.write(b"a")


def cut(_receiver: Receiver, handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without an answer."""
    handler.close_connection = True


def lie(_receiver: Receiver, handler: BaseHTTPRequestHandler) -> None:
    """Answer something that is not HTTP."""
    handler.wfile.write(b"all is well\r\n\r\n")


@dataclass
class Receiver:
    """Records each request, then takes the next step."""

    requests: list[Received] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    _steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                named = {name.lower(): value for name, value in self.headers.items()}
                receiver.requests.append(Received(self.path, named, body))
                with suppress(OSError):
                    receiver.take_step()(receiver, self)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}/hook"

    def script(self, *steps: Step) -> None:
        """Add steps for the next requests."""
        self._steps += steps

    def take_step(self) -> Step:
        """Return the next step."""
        return self._steps.pop(0) if self._steps else status(204)

    @property
    def ids(self) -> list[str]:
        """The ids of the messages, in the order of the requests."""
        return [one.headers["webhook-id"] for one in self.requests]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
