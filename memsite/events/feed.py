"""Wake open streams when their logs grow: one LISTEN connection for each process, and no thread.

A notice only says that there is something to read, so a lost one delays an event and loses none: the logs of
all open streams are also looked at every few seconds, and whenever listening begins again. Without any
notices, as behind a pooler that gives out connections for one transaction each, this alone delivers.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import defaultdict
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
import structlog
from django.db import Error as DatabaseError
from django.db import connections

from memsite.events.claims import release_claims, renew_claims
from memsite.events.log import CHANNEL
from memsite.events.reading import Subject
from memsite.events.watching import renew_watches
from memsite.serving.streaming import run_in_stream_thread

log = structlog.get_logger("memsite.events")

#: The name of the connection that listens, as `pg_stat_activity` shows it.
LISTENER_NAME: Final = "memsite events"
#: Seconds between two looks at all logs.
LOOK_SECONDS: Final = 15.0
#: Seconds before listening is tried again: the first pause, which doubles, and the longest.
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 15.0
#: Seconds in which the server must answer on the connection that listens.
_ANSWER_SECONDS: Final = 10.0


@dataclass(eq=False, slots=True)
class Subscription:
    """One stream's interest in a log.

    Attributes:
        position: The number up to which the stream has read; the stream sets it.
        claim: Its claim among the streams of its key or person.
        news: Set when there may be something to read.
    """

    subject: Subject
    position: int
    claim: UUID
    news: asyncio.Event = field(default_factory=asyncio.Event)


class Feed:
    """Wakes the streams of one event loop."""

    def __init__(self) -> None:
        self._subscriptions: defaultdict[UUID, set[Subscription]] = defaultdict(set)
        self._look_now = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._released: list[UUID] = []
        self._releasing: asyncio.Task[None] | None = None

    @contextmanager
    def subscribe(self, subject: Subject, position: int, claim: UUID) -> Iterator[Subscription]:
        """Wake a stream, within the block, when its log grows, and renew its claim."""
        subscription = Subscription(subject, position, claim)
        self._subscriptions[subject.id].add(subscription)
        if not self._tasks:
            self._tasks = [self._start(self._listen()), self._start(self._look())]
        try:
            yield subscription
        finally:
            self._remove(subscription)

    def release(self, claim: UUID) -> None:
        """Release the claim of a stream that has ended, together with others that end now."""
        self._released.append(claim)
        if self._releasing is None or self._releasing.done():
            self._releasing = self._start(self._release())

    async def finish_releasing(self) -> None:
        """Wait until the claims of all streams that have ended are released."""
        if self._releasing is not None:
            await self._releasing

    async def _release(self) -> None:
        while self._released:
            claims, self._released = self._released, []
            try:
                await run_in_stream_thread(release_claims, claims)
            except DatabaseError as error:  # then they expire
                log.warning("claims of streams could not be released", kind=type(error).__name__)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        # in a context of its own: it outlives the request that starts it, and acts for others
        return asyncio.get_running_loop().create_task(work, context=contextvars.Context())

    def _remove(self, subscription: Subscription) -> None:
        theirs = self._subscriptions[subscription.subject.id]
        theirs.discard(subscription)
        if not theirs:
            del self._subscriptions[subscription.subject.id]
        if not self._subscriptions:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    async def _listen(self) -> None:
        """Listen for notices, and again whenever the connection breaks."""
        pause = _FIRST_PAUSE
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(**_parameters(), autocommit=True)
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._look_now.set()  # what happened meanwhile caused no notice here
                    pause = _FIRST_PAUSE
                    await self._read_notices(connection)
            except (psycopg.Error, OSError, TimeoutError) as error:
                log.warning("not listening for events", kind=type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _read_notices(self, connection: psycopg.AsyncConnection[Any]) -> None:
        while True:
            async for notice in connection.notifies(timeout=LOOK_SECONDS):
                self._wake(notice.payload)
            async with asyncio.timeout(_ANSWER_SECONDS):
                await connection.execute("SELECT 1")  # a network that is cut says nothing by itself

    def _wake(self, notice: str) -> None:
        """Wake the streams that a notice concerns: `<owner> <last number> [<application>]`."""
        owner, _, rest = notice.partition(" ")
        last, _, application = rest.partition(" ")
        with suppress(ValueError):
            self._wake_owner(UUID(owner), int(last))
            if application:
                for subscription in self._subscriptions.get(UUID(application), ()):
                    subscription.news.set()

    def _wake_owner(self, owner: UUID, last: int) -> None:
        for subscription in self._subscriptions.get(owner, ()):
            if subscription.position < last:
                subscription.news.set()

    async def _look(self) -> None:
        """Look at all logs from time to time, and when there is reason to."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._look_now.wait()
            self._look_now.clear()
            streams = [one for theirs in self._subscriptions.values() for one in theirs]
            subjects = {one.subject for one in streams}
            try:
                await run_in_stream_thread(renew_claims, [one.claim for one in streams])
                newest = await run_in_stream_thread(renew_watches, subjects)
            except DatabaseError as error:
                log.warning("event logs could not be looked at", kind=type(error).__name__)
                continue
            for owner, last in newest.items():
                self._wake_owner(owner, last)
            for subject in subjects:
                if subject.is_application:
                    self._wake_application(subject.id)

    def _wake_application(self, application: UUID) -> None:
        for subscription in self._subscriptions.get(application, ()):
            subscription.news.set()


_feeds: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, Feed]] = WeakKeyDictionary()


def get_feed() -> Feed:
    """Return the feed of the running event loop."""
    return _feeds.setdefault(asyncio.get_running_loop(), Feed())


def _parameters() -> dict[str, Any]:
    """Return how to connect: as every other connection does, but not from the pool."""
    database: Any = connections["default"]
    parameters: dict[str, Any] = database.get_connection_params()
    of_django = {"cursor_factory", "context", "prepare_threshold"}
    kept = {name: value for name, value in parameters.items() if name not in of_django}
    return {**kept, "application_name": LISTENER_NAME}
