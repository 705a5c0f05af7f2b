"""File downloads, streamed in pieces."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, TypeVar

from django.http import StreamingHttpResponse
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from memsite.rest.held import may_go_on
from memsite.serving.streaming import run_in_stream_thread

Piece = TypeVar("Piece", str, bytes)

_TURN: Final = 32_768  # characters or bytes made in one piece of work on a thread, at least
_TURN_SECONDS: Final = 0.2


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
    pieces: Iterator[Piece], request: Request, *, name: str, content_type: str
) -> StreamingHttpResponse:
    """Return the pieces as a file of this name, as an asynchronous stream if the request allows it."""
    content = _awaited(pieces) if may_go_on(request) else pieces
    response = StreamingHttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


async def _awaited(pieces: Iterator[Piece]) -> AsyncIterator[Piece]:
    """Yield the same pieces, made on stream threads, so that none is held while the client reads."""
    while parts := await run_in_stream_thread(_next, pieces):
        yield parts[0][:0].join(parts)


def _next(pieces: Iterator[Piece]) -> list[Piece]:
    """Return the next pieces, as many as are worth a switch to a thread; none at the end.

    Work that yields nothing for a while, such as packing, is divided by time.
    """
    parts: list[Piece] = []
    size, until = 0, time.monotonic() + _TURN_SECONDS
    for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size >= _TURN or time.monotonic() > until:
            break
    return parts
