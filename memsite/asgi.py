"""The site as one ASGI application: views run in threads; streams and waits run in the event loop.

An ordinary view answers nearly twice as many requests in a thread as under Django's own ASGI handler, which
switches between loop and threads several times per request, and holds a thread and its database connection
for each open stream. `memsite.serving.streaming` explains how answers avoid both.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from contextlib import AsyncExitStack
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, LifespanScope, Scope
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import get_resolver

from memsite.serving.postgres import WEB_THREADS
from memsite.serving.streaming import ThreadedApplication
from memsite.web.health import answer_health, is_health

#: Thresholds of Python's garbage collector. With its default of 700, the objects of a batch of a thousand
#: memories were scanned hundreds of times.
_GARBAGE: Final = (50_000, 20, 20)

_wsgi: Any = get_wsgi_application()
from memories.mcp import PATH as MCP_PATH  # noqa: E402 - needs the apps, which the line above loads
from memories.mcp import McpApplication  # noqa: E402 - as above
from memsite.edge import Uploads, guard_application  # noqa: E402 - as above
from threads.completions import answer_completions  # noqa: E402 - as above

#: Seconds after which a busy thread must let another one run. With Python's default of 5 ms, the event loop
#: waited up to that long for each busy thread, at each of its steps.
_SWITCH_INTERVAL: Final = 0.001

#: Seconds that replies have to end after the server has cancelled them.
_LAST_SECONDS: Final = 1.0

_threaded: Any = ThreadedApplication(_wsgi, threads=WEB_THREADS, longest=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Route one connection."""
    if scope["type"] == "http":
        if is_health(scope):
            await answer_health(scope, send)
        else:
            await _edge(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _live(scope, receive, send)


_mcp: Final = McpApplication()


async def _route(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Pass a checked request to what answers it. Preflights of `/mcp` are answered like all others."""
    path = scope["path"]
    if path == MCP_PATH and scope["method"] != "OPTIONS":
        await _mcp(scope, receive, send)
    elif path == "/v1" or path.startswith("/v1/"):
        await answer_completions(scope, receive, send)
    else:
        await _threaded(scope, receive, send)


_edge: Final = guard_application(
    _route,
    longest=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    uploads=Uploads(
        paths=frozenset({"/api/memories/import", "/settings/data/import/"}),
        longest=(settings.MEMSITE_MAX_IMPORT_MB + 1) * 1024**2,  # with the overhead of multipart
        folder=settings.MEMSITE_DATA_DIR / "imports",
    ),
    trusted_proxies=settings.MEMSITE_TRUSTED_PROXIES,
)


async def _live(_scope: LifespanScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    from memsite.events.feed import get_feed  # noqa: PLC0415 - models are loaded by now
    from memsite.llm.chat import close_clients  # noqa: PLC0415 - as above
    from threads.replies import hand_over  # noqa: PLC0415 - as above

    database: Any = connections["default"]
    async with AsyncExitStack() as at_the_end:  # closes all, whatever fails
        at_the_end.callback(database.close_pool)
        at_the_end.push_async_callback(close_clients)
        at_the_end.push_async_callback(get_feed().finish_releasing)
        await at_the_end.enter_async_context(_mcp.run())
        await _warm_up()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await hand_over(_LAST_SECONDS)
    await send({"type": "lifespan.shutdown.complete"})


async def _warm_up() -> None:
    """Do now what would make the first requests slow."""
    from memories.retrieval import warm_up  # noqa: PLC0415 - models are loaded by now
    from memsite.llm import tokens  # noqa: PLC0415 - as above

    await asyncio.to_thread(tokens.warm_up)
    await asyncio.to_thread(warm_up)  # otherwise the first context would exceed its time for recall
    await asyncio.to_thread(lambda: get_resolver().url_patterns)  # imports every view
    gc.collect()
    gc.set_threshold(*_GARBAGE)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    gc.freeze()  # objects made at the start stay; scanning them again took a tenth of a large request
