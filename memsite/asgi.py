"""The site as one ASGI application: streams run natively, everything else in threads.

An ordinary view answers nearly twice as many requests in a thread as under Django's own ASGI handler,
which switches between loop and threads several times for each. A stream, or an answer that waits for a job,
would hold a thread all its life.
"""

from __future__ import annotations

import asyncio
import gc
import os
import re
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, LifespanScope, Scope
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import get_resolver

from memsite.database import WEB_THREADS
from memsite.threaded import ThreadedApplication

_STREAMS: Final = re.compile(
    r"/(?:api/events|mcp|v1)(?:/|$)|/api/threads/[^/]+/(?:reply|extract|summarise|export)/?$"
    r"|/api/memories/export/?$"
)

#: Of Python's collector: with its own 700 a batch of a thousand memories was gone through hundreds of times.
_GARBAGE: Final = (50_000, 20, 20)

_native: Any = get_asgi_application()
_wsgi: Any = get_wsgi_application()
from memsite.edge import guarded  # noqa: E402 - needs the apps, which the two above load

_threaded: Any = ThreadedApplication(_wsgi, threads=WEB_THREADS, longest=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Route one connection."""
    if scope["type"] == "http":
        await _edge(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _live(scope, receive, send)


async def _route(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await (_native if runs_natively(scope) else _threaded)(scope, receive, send)


_edge: Final = guarded(
    _route,
    longest=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    trusted_proxies=settings.MEMSITE_TRUSTED_PROXIES,
)


def runs_natively(scope: HTTPScope) -> bool:
    """Whether a request may stream, or has a body of unannounced length, which WSGI cannot read."""
    chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    return chunked or _STREAMS.match(scope["path"]) is not None


async def _live(_scope: LifespanScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    from memories.retrieval.warming import warm_up  # noqa: PLC0415 - models are loaded by now

    await asyncio.to_thread(warm_up)  # or the first context would run out of its time for recall
    await asyncio.to_thread(lambda: get_resolver().url_patterns)  # imports every view
    gc.collect()
    gc.set_threshold(*_GARBAGE)
    gc.freeze()  # what a start has made stays; looking through it again took a tenth of a large request
    await send({"type": "lifespan.startup.complete"})
    await receive()
    database: Any = connections["default"]
    database.close_pool()
    await send({"type": "lifespan.shutdown.complete"})
