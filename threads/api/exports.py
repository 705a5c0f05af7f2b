"""A thread to take away, over HTTP: sent in pieces as they are read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest
from django.db import connection
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from memsite.rest.openapi import query_parameters
from memsite.rest.views import ApiView, owner_of, parse_query
from threads.access import get_branch, get_thread
from threads.api import reading_schema as schema
from threads.exporting import export_json, export_markdown
from threads.models import Thread

_FORMATS: Final = {
    "json": (export_json, "application/json", "json"),
    "markdown": (export_markdown, "text/markdown; charset=utf-8", "md"),
}
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


class ExportView(ApiView):
    content_negotiation_class = AsAsked

    @extend_schema(
        operation_id="export_thread",
        summary="Export a thread",
        parameters=query_parameters(schema.ExportQuery),
        responses={(200, "application/json"): schema.ExportOut, (200, "text/markdown"): str},
    )
    def get(self, request: Request, thread_id: str) -> StreamingHttpResponse:
        """JSON with everything in it, or a transcript in Markdown, as a file."""
        query, owner = parse_query(schema.ExportQuery, request), owner_of(request)
        thread = get_thread(thread_id, owner=owner)
        branch = get_branch(thread, query.branch) if query.branch else None
        write, _, _ = _FORMATS[query.format]
        return _sent(write(thread, branch, owner=owner), request, thread, query.format)


def _sent(pieces: Iterator[str], request: Request, thread: Thread, wanted: str) -> StreamingHttpResponse:
    _, content_type, suffix = _FORMATS[wanted]
    is_native = isinstance(request._request, ASGIRequest)  # noqa: SLF001 - DRF has no other name for it
    response = StreamingHttpResponse(_awaited(pieces) if is_native else pieces, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="thread-{thread.pk}.{suffix}"'
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
