"""A file to take away: sent in pieces as they are read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest
from django.db import connection
from django.http import StreamingHttpResponse
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_END: Final = None


class AsAsked(BaseContentNegotiation):
    """The query's `format` is ours here, and not a choice among renderers."""

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 - DRF's signature
        renderers: Any,  # noqa: ANN401 - DRF's own untyped list
        format_suffix: str | None = None,  # noqa: ARG002 - DRF's signature
    ) -> tuple[BaseRenderer, str]:
        """The first, which renders what goes wrong."""
        return renderers[0], renderers[0].media_type


def download(
    pieces: Iterator[str], request: Request, *, name: str, content_type: str
) -> StreamingHttpResponse:
    """The pieces as a file of this name, in whatever way the request runs."""
    is_native = isinstance(request._request, ASGIRequest)  # noqa: SLF001 - DRF has no other name for it
    response = StreamingHttpResponse(_awaited(pieces) if is_native else pieces, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


async def _awaited(pieces: Iterator[str]) -> AsyncIterator[str]:
    """The same without holding the event loop, nor a connection while the client reads."""
    while (piece := await asyncio.to_thread(_next, pieces)) is not _END:
        yield piece


def _next(pieces: Iterator[str]) -> str | None:
    try:
        return next(pieces, _END)
    finally:
        if not connection.in_atomic_block:
            connection.close()
