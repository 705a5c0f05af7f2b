"""One open stream of events.

It takes no thread and no connection: it reads its log on a stream thread when it is woken, and sends a
comment when nothing happened for a while. The client stores the number of the last event and resumes there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

import structlog
from django.db import DatabaseError, InterfaceError
from rest_framework.exceptions import APIException

from memsite.errors import MemsiteError
from memsite.events.feed import Subscription, get_feed
from memsite.events.reading import LoggedEvent, Subject, load_events
from memsite.serving.streaming import StreamPlace, run_in_stream_thread

log = structlog.get_logger("memsite.events")

#: Milliseconds after which a client connects again.
RETRY: Final = 3_000
#: Seconds without an event after which a comment is sent: proxies close what is silent for a minute.
HEARTBEAT_SECONDS = 15.0
#: Seconds after which the caller's key or session is checked again.
CHECK_SECONDS = 60.0
#: Seconds after which a stream ends. Its client connects again.
LONGEST_SECONDS = 3600.0
#: Seconds between two attempts to read while the database is unavailable.
_PAUSE: Final = 1.0

#: Raises an error if the caller may not read these events any more.
CheckCaller = Callable[[], None]
#: Encodes one event.
Encode = Callable[[LoggedEvent], bytes]


@dataclass(frozen=True, slots=True)
class StreamStart:
    """The start of a stream of events.

    Attributes:
        subject: Whose events are sent.
        after: The number after which events are sent.
        opening: The first bytes.
        types: The types of events; None for all.
    """

    subject: Subject
    after: int
    opening: bytes
    types: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Admission:
    """The place and the claim of an admitted stream, which are released at its end.

    Attributes:
        place: Its place in this process.
        claim: Its claim among the streams of its key or person.
        check_caller: Checks that the caller may still read these events.
    """

    place: StreamPlace
    claim: UUID
    check_caller: CheckCaller


class OpenStream:
    """The pieces of one stream, as an asynchronous iterator that gives its place back when it is closed."""

    def __init__(self, start: StreamStart, admission: Admission, encode: Encode) -> None:
        self._start = start
        self._admission = admission
        self._encode = encode
        self._is_ended = False
        self._pieces = self._generate()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        return await anext(self._pieces)

    async def aclose(self) -> None:
        """End the stream and give its place back."""
        try:
            await self._pieces.aclose()
        finally:
            self._admission.place.release()
            get_feed().release(self._admission.claim)

    async def _generate(self) -> AsyncGenerator[bytes, None]:
        started = checked = sent = time.monotonic()
        yield self._start.opening
        start, claim = self._start, self._admission.claim
        with get_feed().subscribe(start.subject, start.after, claim) as subscription:
            self._admission.place.end = partial(self._end, subscription)
            subscription.news.set()  # something may have happened since the state of the log was read
            while not self._is_ended and time.monotonic() - started < LONGEST_SECONDS:
                if time.monotonic() - checked >= CHECK_SECONDS:
                    if not await self._is_allowed():
                        return
                    checked = time.monotonic()
                if piece := await self._read_news(subscription):
                    yield piece
                    sent = time.monotonic()
                elif time.monotonic() - sent >= HEARTBEAT_SECONDS:
                    yield b": \n\n"
                    sent = time.monotonic()
                await self._wait(subscription, min(sent + HEARTBEAT_SECONDS, checked + CHECK_SECONDS))

    def _end(self, subscription: Subscription) -> None:
        self._is_ended = True
        subscription.news.set()

    async def _wait(self, subscription: Subscription, until: float) -> None:
        """Wait for news, at most until this time."""
        left = until - time.monotonic()
        if left > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await subscription.news.wait()

    async def _read_news(self, subscription: Subscription) -> bytes:
        """Return what is new in the log, at most one page, as the bytes to send."""
        if not subscription.news.is_set():
            return b""
        subscription.news.clear()
        before = subscription.position
        try:
            page = await run_in_stream_thread(load_events, self._start.subject, before, self._start.types)
        except (DatabaseError, InterfaceError) as error:
            log.warning("a stream could not read its log", kind=type(error).__name__)
            subscription.news.set()
            await asyncio.sleep(_PAUSE)
            return b""
        subscription.position = page.last
        if page.more:
            subscription.news.set()
        pieces = [self._encode(event) for event in page.events]
        if page.last > (page.events[-1].number if page.events else before):
            pieces.append(b"id: %d\n\n" % page.last)  # not to read again what the filter left out
        return b"".join(pieces)

    async def _is_allowed(self) -> bool:
        """Return whether the caller may still read these events; unknown means yes, until the next check."""
        try:
            await run_in_stream_thread(self._admission.check_caller)
        except (MemsiteError, APIException):
            return False
        except (DatabaseError, InterfaceError) as error:
            log.warning("a stream's caller could not be checked", kind=type(error).__name__)
        return True
