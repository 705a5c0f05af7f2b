"""The ASGI application of `/v1`: routes, errors, other origins, and clients that go away."""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Any, Final

import structlog
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.conf import settings

from memsite.errors import MemsiteError, NotFound
from memsite.serving.postgres import NOBODY, act_as
from memsite.serving.streaming import EVENT_STREAM
from threads.completions.endpoints.chat import complete_chat
from threads.completions.endpoints.conversations import (
    add_items,
    change_conversation,
    create_conversation,
    delete_conversation,
    delete_item,
    get_conversation,
    get_item,
    get_items,
)
from threads.completions.endpoints.embeddings import make_embeddings
from threads.completions.endpoints.errors import render_error
from threads.completions.endpoints.model_list import get_model, list_models
from threads.completions.endpoints.requests import Answer, EventAnswer, Request, read_request
from threads.completions.endpoints.responses import (
    cancel_response,
    create_response,
    delete_response,
    get_response,
    list_input_items,
)

Headers = dict[str, str]
Handler = Callable[..., Awaitable[Answer | EventAnswer]]

PREFIX: Final = "/v1"
#: Seconds in which a client must accept a piece of a stream; otherwise it counts as gone.
_STALLED_AFTER: Final = 120.0
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_ALLOWED_METHODS: Final = "GET, POST, DELETE, OPTIONS"
_ALLOWED_HEADERS: Final = "authorization, content-type, x-request-id"
_EXPOSED: Final = "x-request-id, Memsite-Owner, Memsite-Thread, Memsite-Memory, Memsite-Citations"
_OTHER_WIRE: Final = (
    "Memsite speaks OpenAI's protocol under /v1, not Anthropic's. Use /v1/chat/completions, or a client's"
    " setting for OpenAI-compatible servers."
)
#: Path below `/v1`, and what answers each method. Groups of the path are arguments.
_ROUTES: Final[tuple[tuple[re.Pattern[str], Mapping[str, Handler]], ...]] = (
    (re.compile(r"/models"), {"GET": list_models}),
    (re.compile(r"/models/(.+)"), {"GET": get_model}),
    (re.compile(r"/chat/completions"), {"POST": complete_chat}),
    (re.compile(r"/embeddings"), {"POST": make_embeddings}),
    (re.compile(r"/responses"), {"POST": create_response}),
    (re.compile(r"/responses/([^/]+)"), {"GET": get_response, "DELETE": delete_response}),
    (re.compile(r"/responses/([^/]+)/input_items"), {"GET": list_input_items}),
    (re.compile(r"/responses/([^/]+)/cancel"), {"POST": cancel_response}),
    (re.compile(r"/conversations"), {"POST": create_conversation}),
    (
        re.compile(r"/conversations/([^/]+)"),
        {"GET": get_conversation, "POST": change_conversation, "DELETE": delete_conversation},
    ),
    (re.compile(r"/conversations/([^/]+)/items"), {"GET": get_items, "POST": add_items}),
    (re.compile(r"/conversations/([^/]+)/items/([^/]+)"), {"GET": get_item, "DELETE": delete_item}),
)
_log: Final = structlog.get_logger("memsite.request")


class NoSuchMethod(MemsiteError):
    """The path exists, and has no such method."""

    code = "method_not_allowed"
    status = 405


async def answer_completions(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer one request under `/v1`. Its body is bounded already."""
    act_as(NOBODY)
    content = await _read_body(receive)
    if content is None:
        return
    path = scope["path"].removeprefix(PREFIX).rstrip("/")
    request = read_request(scope, path, content)
    shared = _list_shared_headers(request)
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=shared["x-request-id"])
    await _unless_gone(_answer(request, shared, send), receive)


async def _answer(request: Request, shared: Headers, send: ASGISendCallable) -> None:
    started = time.perf_counter()
    status = 499  # the client went away
    try:
        try:
            answer = await _dispatch(request)
        except Exception as error:  # noqa: BLE001 - sorted there
            failed = render_error(error)
            answer = Answer(failed.body, failed.status, failed.headers)
        status = answer.status if isinstance(answer, Answer) else 200
        if isinstance(answer, EventAnswer):
            await _send_events(answer, shared, send)
        else:
            await _send_whole(answer, shared, send)
    finally:
        spent = round((time.perf_counter() - started) * 1000, 1)
        _log.info("request", method=request.method, path=f"{PREFIX}{request.path}", status=status, ms=spent)


async def _dispatch(request: Request) -> Answer | EventAnswer:
    if request.method == "OPTIONS":
        return Answer(b"", 204)
    for pattern, methods in _ROUTES:
        found = pattern.fullmatch(request.path)
        if found is not None:
            if request.method not in methods:
                raise NoSuchMethod(f"This path takes {', '.join(methods)}.")
            return await methods[request.method](request, *found.groups())
    if request.path.startswith("/messages"):
        raise NotFound(_OTHER_WIRE)
    raise NotFound(f"There is no {PREFIX}{request.path} here.")


async def _send_whole(answer: Answer, shared: Headers, send: ASGISendCallable) -> None:
    headers = {
        "content-type": "application/json",
        "content-length": str(len(answer.body)),
        "cache-control": "no-store",
    }
    await _start(answer.status, headers | shared | dict(answer.headers), send)
    body: Any = {"type": "http.response.body", "body": answer.body}
    await send(body)


async def _send_events(answer: EventAnswer, shared: Headers, send: ASGISendCallable) -> None:
    headers = {
        "content-type": f"{EVENT_STREAM}; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",  # otherwise a proxy would buffer the pieces
    }
    try:
        await _start(200, headers | shared | dict(answer.headers), send)
        async with aclosing(answer.pieces) as pieces:
            async for piece in pieces:
                part: Any = {"type": "http.response.body", "body": piece, "more_body": True}
                async with asyncio.timeout(_STALLED_AFTER):
                    await send(part)
    finally:
        await answer.close()
    end: Any = {"type": "http.response.body", "body": b""}
    await send(end)


async def _start(status: int, headers: Headers, send: ASGISendCallable) -> None:
    named = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    start: Any = {"type": "http.response.start", "status": status, "headers": named}
    await send(start)


async def _read_body(receive: ASGIReceiveCallable) -> bytes | None:
    """Return the body; None if the client went away."""
    parts: list[bytes] = []
    while True:
        message: Any = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _list_shared_headers(request: Request) -> Headers:
    """Return the headers of every answer: the request's id, and what other origins may do and read."""
    given = request.headers.get("x-request-id", "")
    headers = {
        "x-request-id": given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex,
        "x-content-type-options": "nosniff",
    }
    origin = request.headers.get("origin", "")
    if settings.MEMSITE_CORS_ORIGINS:
        headers["vary"] = "origin"
    if origin not in settings.MEMSITE_CORS_ORIGINS:
        return headers
    headers |= {"access-control-allow-origin": origin, "access-control-expose-headers": _EXPOSED}
    if request.method == "OPTIONS":
        wanted = request.headers.get("access-control-request-headers", "")
        headers |= {
            "access-control-allow-methods": _ALLOWED_METHODS,
            "access-control-allow-headers": wanted if wanted.isprintable() and wanted else _ALLOWED_HEADERS,
            "access-control-max-age": "86400",
        }
    return headers


async def _unless_gone(answering: Any, receive: ASGIReceiveCallable) -> None:  # noqa: ANN401 - a coroutine
    """Answer to the end, unless the client disconnects or the server stops first."""
    task = asyncio.create_task(answering)
    gone = asyncio.ensure_future(receive())  # after the body, only a disconnect can arrive
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in (gone, task):
            one.cancel()
        with suppress(asyncio.CancelledError):
            await task
