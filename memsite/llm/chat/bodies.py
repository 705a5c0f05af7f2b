"""Read the body of an answer within limits of time and size, and split a stream into its events."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Final

from memsite.llm.chat import retry

ANSWER_BYTES: Final = 64 * 1024 * 1024


def read_body(chunks: Iterable[bytes], deadline: retry.Deadline, *, limit: int = ANSWER_BYTES) -> bytes:
    """Return the whole body.

    Args:
        chunks: The body as it arrives.
        deadline: When the whole body must have arrived.
        limit: Most bytes to accept.

    Raises:
        ModelError: If the connection breaks off, the deadline passes or the body is longer than `limit`.
    """
    body = bytearray()
    for chunk in _unbroken(chunks):
        body += chunk
        if not deadline.remaining():
            raise retry.timeout_error()
        if len(body) > limit:
            raise retry.bad_answer_error("it is too long")
    return bytes(body)


def _unbroken(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same chunks; turn the errors of the client's transport into ModelError."""
    try:
        yield from chunks
    except Exception:  # noqa: BLE001 - the client passes on any error of its transport here
        raise retry.broken_off_error() from None


class EventSplitter:
    """Finds the server-sent events in the bytes of a stream, wherever these are cut."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """Return the data of each event that ends in this chunk, in order.

        Raises:
            ModelError: If a line is longer than the limit.
        """
        *lines, self._rest = (self._rest + self._decode(chunk)).split("\n")
        if len(self._rest) > ANSWER_BYTES:
            raise retry.bad_answer_error("it is too long")
        found = []
        for line in lines:
            text = line.removesuffix("\r")
            if text.startswith("data:"):
                self._data.append(text[5:].removeprefix(" "))
            elif not text and self._data:
                found.append("\n".join(self._data))
                self._data = []
        return found
