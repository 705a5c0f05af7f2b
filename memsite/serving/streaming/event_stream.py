"""Server-sent events: the encoding of one event, and the response that sends them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, Final

from django.http import StreamingHttpResponse

from memsite.values import round_numbers

EVENT_STREAM: Final = "text/event-stream"


class EventStreamResponse(StreamingHttpResponse):
    """Response of server-sent events.

    Attributes:
        source: The iterator of the content; the server closes it when the client stops reading.
    """

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self.source = source
        super().__init__(source, content_type=EVENT_STREAM)
        self["Cache-Control"] = "no-cache, no-transform"
        self["X-Accel-Buffering"] = "no"  # otherwise a proxy would buffer the pieces


def encode_event(name: str, data: Any, number: int | None = None) -> bytes:  # noqa: ANN401 - any JSON value
    """Return one event as bytes. The JSON contains no line breaks.

    Args:
        name: The event's type.
        data: Any JSON value.
        number: The id from which the client resumes; without one it keeps the last it was sent.
    """
    start = "" if number is None else f"id: {number}\n"
    written = json.dumps(round_numbers(data), ensure_ascii=False)
    return f"{start}event: {name}\ndata: {written}\n\n".encode()
