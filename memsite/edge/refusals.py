"""Answers to requests that are refused before any view."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any, Final

import orjson
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.core.handlers.asgi import ASGIRequest

from memsite.accounts.oauth import make_challenge
from memsite.errors import MemsiteError, NotAuthenticated, TooManyRequests, Unavailable
from memsite.web.errors import is_for_programs, render_bare_page

#: Seconds for which the rest of a refused body is read and dropped: in total, and without any part of it.
_DRAIN_SECONDS: Final = 10.0
_DRAIN_PAUSE: Final = 2.0
#: Paths whose protocols have errors of their own, and codes of JSON-RPC.
_MCP: Final = "/mcp"
_OPENAI: Final = "/v1"
_INVALID_REQUEST: Final = -32600
_INTERNAL_ERROR: Final = -32603
#: What OpenAI calls an error of a status: its type and its code.
_OPENAI_NAMES: Final = {
    401: ("authentication_error", "invalid_api_key"),
    429: ("rate_limit_error", "rate_limit_exceeded"),
}


async def refuse_request(
    scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable, error: MemsiteError, *, drain: int
) -> None:
    """Answer with an error and close the connection.

    The rest of the body is read and dropped for a while, because many clients read the answer only after they
    have sent everything, and would see a broken connection instead.

    Args:
        scope: The request.
        receive: Its ASGI callable.
        send: Its ASGI callable.
        error: The error to answer with.
        drain: Most bytes to read and drop.
    """
    kind, body = _rendered(scope, error)
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if isinstance(error, NotAuthenticated):
        headers.append((b"www-authenticate", _make_challenge(scope).encode("latin-1")))
    if isinstance(error, TooManyRequests):
        headers.append((b"retry-after", str(error.retry_after).encode()))
    start: Any = {"type": "http.response.start", "status": error.status, "headers": headers}
    await send(start)
    answer: Any = {"type": "http.response.body", "body": body, "more_body": True}
    await send(answer)
    await _drain(receive, drain)
    end: Any = {"type": "http.response.body", "body": b"", "more_body": False}
    await send(end)


def _rendered(scope: HTTPScope, error: MemsiteError) -> tuple[bytes, bytes]:
    """Return the content type and the body of an error's answer, in the shape of the path's protocol."""
    path = scope["path"]
    if path == _MCP:
        return b"application/json", orjson.dumps(_as_json_rpc(error))
    if path == _OPENAI or path.startswith(f"{_OPENAI}/"):
        return b"application/json", orjson.dumps(_as_openai(error))
    if is_for_programs(path):
        return b"application/json", orjson.dumps(error.as_json())
    request = ASGIRequest(scope, BytesIO())
    return b"text/html; charset=utf-8", render_bare_page(request, error).encode()


def _as_openai(error: MemsiteError) -> dict[str, Any]:
    """Return an error as OpenAI's libraries read it."""
    kind, code = _OPENAI_NAMES.get(error.status, ("invalid_request_error", error.code))
    if error.status >= Unavailable.status:
        kind = "server_error"
    return {"error": {"message": error.message, "type": kind, "param": None, "code": code}}


def _as_json_rpc(error: MemsiteError) -> dict[str, Any]:
    """Return an error of JSON-RPC about a message whose id nobody has read."""
    code = _INTERNAL_ERROR if error.status >= Unavailable.status else _INVALID_REQUEST
    described = {"code": code, "message": error.message, "data": {"code": error.code}}
    return {"jsonrpc": "2.0", "id": None, "error": described}


def _make_challenge(scope: HTTPScope) -> str:
    """Return how to authenticate. Programs at `/mcp` learn there where they get a token."""
    if scope["path"] != _MCP:
        return "Bearer"
    has_sent = any(name == b"authorization" for name, _ in scope["headers"])
    return make_challenge("invalid_token" if has_sent else "")


async def _drain(receive: ASGIReceiveCallable, most: int) -> None:
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            while most > 0:
                async with asyncio.timeout(_DRAIN_PAUSE):
                    message: Any = await receive()
                most -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return
