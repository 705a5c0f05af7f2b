"""File downloads, streamed in pieces."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from django.http import StreamingHttpResponse
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from memsite.rest.held import may_go_on
from memsite.serving.streaming import run_in_stream_thread

_TURN: Final = 32_768  # characters made in one piece of work on a thread, at least


class AnyAcceptedType(DefaultContentNegotiation):
    """Ignore the query parameter `format`, which these views use themselves, when choosing a renderer."""

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 - DRF's signature
        renderers: Any,  # noqa: ANN401 - DRF's own untyped list
        format_suffix: str | None = None,  # noqa: ARG002 - DRF's signature
    ) -> tuple[BaseRenderer, str]:
        """Return the first renderer, which renders errors."""
        return renderers[0], renderers[0].media_type


def stream_download(
    pieces: Iterator[str], request: Request, *, name: str, content_type: str
) -> StreamingHttpResponse:
    """Return the pieces as a file of this name, as an asynchronous stream if the request allows it."""
    content = _awaited(pieces) if may_go_on(request) else pieces
    response = StreamingHttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


async def _awaited(pieces: Iterator[str]) -> AsyncIterator[str]:
    """Yield the same pieces, made on stream threads, so that none is held while the client reads."""
    while piece := await run_in_stream_thread(_next, pieces):
        yield piece


def _next(pieces: Iterator[str]) -> str:
    """Return the next pieces, joined until they are worth a switch to a thread; empty at the end."""
    parts: list[str] = []
    size = 0
    for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size >= _TURN:
            break
    return "".join(parts)
