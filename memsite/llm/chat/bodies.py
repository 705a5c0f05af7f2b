"""The body of an answer, read no longer than it may take."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Final

from memsite.errors import ModelError
from memsite.llm.chat import retry

ANSWER_BYTES: Final = 64 * 1024 * 1024


def whole(chunks: Iterable[bytes], deadline: retry.Deadline, *, limit: int = ANSWER_BYTES) -> bytes:
    """All of it. Raises ModelError where it breaks off, drips past the deadline or passes `limit` bytes."""
    body = bytearray()
    for chunk in unbroken(chunks):
        body += chunk
        if not deadline.remaining():
            raise retry.timed_out()
        if len(body) > limit:
            raise retry.bad_answer("it is too long")
    return bytes(body)


def unbroken(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same chunks; what the client's transport raises becomes a ModelError."""
    try:
        yield from chunks
    except ModelError:
        raise
    except Exception:  # noqa: BLE001 - the client hands on the errors of its transport here
        raise retry.broken_off() from None


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each server-sent event, in order; one that does not end is left out."""
    data: list[str] = []
    for line in _lines(chunks):
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Whole lines without their ends. Raises ModelError for a line past the limit."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    for chunk in chunks:
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        for line in lines:
            yield line.removesuffix("\r")
        if len(rest) > ANSWER_BYTES:
            raise retry.bad_answer("it is too long")
