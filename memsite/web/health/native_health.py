"""`/healthz` and `/readyz` in the event loop, without a web thread and with a time limit for the database.

So a site whose threads all wait for a hanging database still answers both.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import orjson
from asgiref.typing import ASGISendCallable, HTTPScope
from django.conf import settings
from django.db import connection

from memsite.serving.data_folder import find_folder_problem
from memsite.web.health.health import ALIVE, SiteState, describe, readiness

#: Seconds within which the database must answer.
READY_WITHIN: Final = 2.0

_thread: Final = ThreadPoolExecutor(1, thread_name_prefix="ready")
#: The check that is running; requests that arrive meanwhile wait for the same one.
_looking: asyncio.Future[tuple[int, dict[str, Any]]] | None = None


def is_health(scope: HTTPScope) -> bool:
    """Return whether this module answers a request."""
    return scope["path"] in {"/healthz", "/readyz"} and scope["method"] in {"GET", "HEAD"}


async def answer_health(scope: HTTPScope, send: ASGISendCallable) -> None:
    """Answer one request."""
    status, data = (200, ALIVE) if scope["path"] == "/healthz" else await _readiness()
    body = orjson.dumps(data)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    start: Any = {"type": "http.response.start", "status": status, "headers": headers}
    await send(start)
    rest: Any = {"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body}
    await send(rest)


async def _readiness() -> tuple[int, dict[str, Any]]:
    global _looking  # noqa: PLW0603 - one check at a time in the whole process
    loop = asyncio.get_running_loop()
    if _looking is None or _looking.done() or _looking.get_loop() is not loop:
        _looking = loop.run_in_executor(_thread, _look)
    done, _ = await asyncio.wait({_looking}, timeout=READY_WITHIN)
    if done:
        return _looking.result()
    return describe(SiteState(find_folder_problem(settings.MEMSITE_DATA_DIR)))


def _look() -> tuple[int, dict[str, Any]]:
    try:
        return readiness()
    finally:
        connection.close()
