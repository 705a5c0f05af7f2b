"""A proxy that adds a key to each request, for programs that send none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

#: Headers that concern one connection alone.
_OF_CONNECTIONS = {"connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"}


@contextmanager
def keyed_proxy(site: str, key: str) -> Iterator[str]:
    """Serve a proxy of a site (`host:port`) within the block. Yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {**dict(self.headers.items()), "Authorization": f"Bearer {key}"}
            connection = HTTPConnection(site, timeout=120)
            connection.request(self.command, self.path, body, headers)
            response = connection.getresponse()
            content = response.read()
            self.send_response(response.status)
            for name, value in response.getheaders():
                if name.lower() not in _OF_CONNECTIONS:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            connection.close()

        do_GET = do_POST = do_DELETE = do_OPTIONS = answer  # noqa: N815 - the names that the library looks for

        def log_message(self, *_args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
