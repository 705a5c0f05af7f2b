"""Read the body of an answer within limits of time and size."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Final

from memsite.errors import ModelError
from memsite.llm.chat import retry

ANSWER_BYTES: Final = 64 * 1024 * 1024


def whole(chunks: Iterable[bytes], deadline: retry.Deadline, *, limit: int = ANSWER_BYTES) -> bytes:
    """Return the whole body.

    Args:
        chunks: The body as it arrives.
        deadline: When the whole body must have arrived.
        limit: Most bytes to accept.

    Raises:
        ModelError: If the connection breaks off, the deadline passes or the body is longer than `limit`.
    """
    body = bytearray()
    for chunk in unbroken(chunks):
        body += chunk
        if not deadline.remaining():
            raise retry.timed_out()
        if len(body) > limit:
            raise retry.bad_answer("it is too long")
    return bytes(body)


def unbroken(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same chunks; turn the errors of the client's transport into ModelError."""
    try:
        yield from chunks
    except ModelError:
        raise
    except Exception:  # noqa: BLE001 - the client passes on any error of its transport here
        raise retry.broken_off() from None


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of each server-sent event, in order; leave out an unfinished one."""
    data: list[str] = []
    for line in _lines(chunks):
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield whole lines without their ends; ModelError for a line longer than the limit."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    for chunk in chunks:
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        for line in lines:
            yield line.removesuffix("\r")
        if len(rest) > ANSWER_BYTES:
            raise retry.bad_answer("it is too long")
