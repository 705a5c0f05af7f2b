"""The ASGI application of `/mcp`: who may send what, before the library reads a message.

There are no sessions: each POST is authenticated and answered by itself, in JSON, by any process. GET and
DELETE, which exist for sessions, are refused.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
import structlog
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INTERNAL_ERROR, INVALID_REQUEST

from memories.mcp.callers import CALLER, authenticate
from memories.mcp.server import build_server
from memsite.accounts.authentication import BearerCaller
from memsite.accounts.oauth import make_challenge
from memsite.errors import (
    MemsiteError,
    NotAllowed,
    NotAuthenticated,
    TooLarge,
    TooManyRequests,
    Unavailable,
)
from memsite.rest.views import OWNER_HEADER
from memsite.serving.streaming import run_in_stream_thread

PATH: Final = "/mcp"
#: The largest message, in bytes. A memory has at most 20,000 characters.
LONGEST_MESSAGE: Final = 1024 * 1024
#: Seconds for the database to say who calls. With those of the answer it stays under 3 s.
_AUTHENTICATION_SECONDS: Final = 2.5

log = structlog.get_logger("memsite.request")


class _MethodNotAllowed(MemsiteError):
    code = "method_not_allowed"
    status = 405


class _UnknownHost(MemsiteError):
    code = "unknown_host"
    status = 421


class McpApplication:
    """Answers requests to `/mcp` while `run` is entered."""

    def __init__(self) -> None:
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve within the block: for the lifespan of the site."""
        manager = StreamableHTTPSessionManager(
            app=build_server(), json_response=True, stateless=True, max_request_body_size=LONGEST_MESSAGE
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        answer = _Answer(scope, send)
        try:
            _check_request(scope)
            if self._manager is None:
                raise Unavailable("The server is not ready.")
            caller = await _identify(scope)
            answer.name_owner(caller)
        except MemsiteError as error:
            await answer.refuse(error)
        else:
            # The server's parser leaves white space after a value, which RFC 9110 (section 5.5) excludes.
            headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            passed: Any = {**scope, "headers": headers, CALLER: caller}
            await self._manager.handle_request(passed, receive, answer.send)  # type: ignore[arg-type]  # starlette types ASGI differently
        answer.log()


def _check_request(scope: HTTPScope) -> None:
    """Raise a MemsiteError for a request that no client of ours sends."""
    headers = dict(scope["headers"])
    domain, _port = split_domain_port(headers.get(b"host", b"").decode("latin-1"))
    if not validate_host(domain, settings.ALLOWED_HOSTS):
        raise _UnknownHost("This server is not known by that name (MEMSITE_ALLOWED_HOSTS).")
    if not _is_origin_allowed(scope):
        raise NotAllowed("Pages of this origin may not call (MEMSITE_CORS_ORIGINS).")
    if scope["method"] != "POST":
        raise _MethodNotAllowed("Send messages by POST; there are no sessions and no streams.")
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) > LONGEST_MESSAGE:
        raise TooLarge("A message may have 1 MiB.", {"bytes": LONGEST_MESSAGE})


def _is_origin_allowed(scope: HTTPScope) -> bool:
    """Return whether the page that sends a request may: a page of this site, or of an origin that is listed.

    Another page could reach a server on the reader's own machine, under a name that it points there.
    """
    headers = dict(scope["headers"])
    origin = headers.get(b"origin", b"").decode("latin-1")
    ours = {settings.MEMSITE_BASE_URL, settings.MEMSITE_PUBLIC_URL}
    if not origin or origin in ours.union(settings.MEMSITE_CORS_ORIGINS):
        return True
    try:
        url = urlsplit(origin)
    except ValueError:
        return False
    return url.scheme in {"http", "https"} and url.netloc == headers.get(b"host", b"").decode("latin-1")


async def _identify(scope: HTTPScope) -> BearerCaller | None:
    """Return who sends a request; None if the database does not say in time.

    The tools then answer that memory is unavailable, which a model can read; an HTTP error ends many clients.
    """
    try:
        async with asyncio.timeout(_AUTHENTICATION_SECONDS):
            return await run_in_stream_thread(authenticate, scope)
    except (TimeoutError, Unavailable):
        return None


class _Answer:
    """Sends an answer with the headers that every answer of `/mcp` has."""

    def __init__(self, scope: HTTPScope, send: ASGISendCallable) -> None:
        self._scope = scope
        self._send = send
        self._started = time.perf_counter()
        self._status = 0
        self._headers = [(b"cache-control", b"no-store"), *_cors_headers(scope)]

    def name_owner(self, caller: BearerCaller | None) -> None:
        """Name the effective owner in a header."""
        if caller is not None:
            self._headers.append((OWNER_HEADER.lower().encode(), str(caller.user.pk).encode()))

    async def send(self, message: Any) -> None:  # noqa: ANN401 - an ASGI message
        """Pass a part of the answer on."""
        if message["type"] == "http.response.start":
            self._status = int(message["status"])
            own = {name for name, _ in self._headers}
            kept = [header for header in message["headers"] if header[0].lower() not in own]
            message = {**message, "headers": [*kept, *self._headers]}
        await self._send(message)

    async def refuse(self, error: MemsiteError) -> None:
        """Send an error as the JSON-RPC error of a message whose id nobody has read."""
        code = INTERNAL_ERROR if error.status >= Unavailable.status else INVALID_REQUEST
        body = orjson.dumps(
            {
                "jsonrpc": "2.0",
                "id": None,
                "error": {"code": code, "message": error.message, "data": {"code": error.code}},
            }
        )
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            *_headers_of(error, dict(self._scope["headers"])),
        ]
        await self.send({"type": "http.response.start", "status": error.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    def log(self) -> None:
        """Log one line about the request."""
        milliseconds = round((time.perf_counter() - self._started) * 1000, 1)
        log.info("request", method=self._scope["method"], path=PATH, status=self._status, ms=milliseconds)


def _headers_of(error: MemsiteError, request: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    if isinstance(error, NotAuthenticated):
        challenge = make_challenge("invalid_token" if b"authorization" in request else "")
        return [(b"www-authenticate", challenge.encode("latin-1"))]
    if isinstance(error, TooManyRequests):
        return [(b"retry-after", str(error.retry_after).encode())]
    return [(b"allow", b"POST")] if isinstance(error, _MethodNotAllowed) else []


def _cors_headers(scope: HTTPScope) -> list[tuple[bytes, bytes]]:
    """Return what lets a page of a listed origin read the answer. Its preflight is answered by Django."""
    origin = dict(scope["headers"]).get(b"origin", b"")
    if origin.decode("latin-1") not in settings.MEMSITE_CORS_ORIGINS:
        return []
    exposed = ", ".join(settings.CORS_EXPOSE_HEADERS).encode()
    return [
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", exposed),
        (b"vary", b"Origin"),
    ]
