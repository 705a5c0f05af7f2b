"""Stop waiting for a server that has stopped answering.

A server that is stopped (SIGSTOP, a machine that hangs) or cut off by a network closes no connection, and
its own time limit for statements does not run. A long statement looks the same from here. So after a few
seconds without an answer the process tries to connect anew: a server that works accepts, whatever it is busy
with. The new connection also asks which of the server's processes are idle: one that is, although it was sent
a statement seconds ago, has stopped alone.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator, Mapping
from typing import Any, ClassVar, Final, TypeVar

import psycopg
from psycopg.errors import ConnectionTimeout

T = TypeVar("T")

#: Seconds to wait for an answer before the process looks whether the server works: at first, and while it is
#: known to be silent.
PATIENCE: Final = 3.0
SHORT_PATIENCE: Final = 0.3
#: Seconds to wait for a new connection. With the waits before, a request fails within about ten seconds.
CONNECT_SECONDS: Final = 3
#: Seconds for which the result of a check is valid: while the server answers, and while it is silent.
_ANSWERED_FOR: Final = 3.0
_SILENT_FOR: Final = 0.5
#: Seconds between two looks at the clock while a statement is waited for.
_LOOK_INTERVAL: Final = 0.1
_SILENT: Final = "the server has stopped answering"
#: Seconds after which a process of the server that was sent a statement is no longer idle.
_BEGINS_WITHIN: Final = 2.0
_IDLE: Final = "SELECT pid FROM pg_stat_activity WHERE usename = session_user AND state LIKE 'idle%'"


class ServerWatch:
    """Whether a server works, as this process knows it.

    Attributes:
        longest: Seconds after which no statement is waited for, even if the server works.
    """

    def __init__(self, parameters: Mapping[str, Any], longest: float) -> None:
        """Create a watch.

        Args:
            parameters: libpq's connection parameters.
            longest: See above.
        """
        self._parameters = {**parameters, "connect_timeout": CONNECT_SECONDS}
        self.longest = longest
        self._lock = threading.Lock()
        self._looked = self._look_began = 0.0
        self._is_silent = False
        self._idle: frozenset[int] = frozenset()

    def gives_up(self, started: float, process: int) -> bool:
        """Return whether to stop waiting for an answer.

        Args:
            started: When it was requested, by the monotonic clock.
            process: Id of the server's process that is to answer.
        """
        seconds = time.monotonic() - started
        if seconds > self.longest:
            return True
        if seconds <= (SHORT_PATIENCE if self._is_silent else PATIENCE):
            return False
        return self.is_silent() or (process in self._idle and self._look_began - started > _BEGINS_WITHIN)

    def refuse_if_silent(self) -> None:
        """Raise OperationalError while the server is silent.

        One caller at a time looks whether it still is, which takes CONNECT_SECONDS at most.
        """
        if self._is_silent and self.is_silent():
            raise psycopg.OperationalError(_SILENT)

    def is_silent(self) -> bool:
        """Return whether the server accepts no connection; look if the last look was too long ago."""
        if self._lock.acquire(blocking=False):  # while another thread checks, the last result is valid
            try:
                holds = _SILENT_FOR if self._is_silent else _ANSWERED_FOR
                if time.monotonic() - self._looked > holds:
                    self._look_began = time.monotonic()
                    self._is_silent = self._look()
                    self._looked = time.monotonic()
            finally:
                self._lock.release()
        return self._is_silent

    def _look(self) -> bool:
        """Return whether the server is silent; note which of its processes are idle."""
        self._idle = frozenset()
        try:
            with _BriefConnection.connect(**self._parameters, autocommit=True) as connection:
                self._idle = frozenset(process for (process,) in connection.execute(_IDLE))
        except ConnectionTimeout:
            return True
        except psycopg.Error:  # it refuses, so it works, or its end was noticed everywhere
            return False
        return False


class _BriefConnection(psycopg.Connection[Any]):
    """A connection whose statements take CONNECT_SECONDS at most."""

    def wait(
        self,
        gen: Generator[Any, Any, T],
        interval: float = _LOOK_INTERVAL,
        timeout: float | None = CONNECT_SECONDS,
    ) -> T:
        return super().wait(gen, interval, CONNECT_SECONDS if timeout is None else timeout)


class PatientConnection(psycopg.Connection[Any]):
    """A connection whose statements fail with OperationalError when its server has stopped answering."""

    watch: ClassVar[ServerWatch]

    def wait(
        self,
        gen: Generator[Any, Any, T],
        interval: float = _LOOK_INTERVAL,
        timeout: float | None = None,
    ) -> T:
        """Wait for the server; see psycopg's own method, which calls back every `interval` seconds."""
        return super().wait(self._watched(gen), interval, timeout)

    def _watched(self, steps: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        started = time.monotonic()
        try:
            wanted = next(steps)
            while True:
                ready = yield wanted
                if not ready and self.watch.gives_up(started, self.pgconn.backend_pid):
                    self.close()  # whatever it still answers belongs to this statement
                    pool: Any = self._pool  # the pinned version's; a test holds it
                    if pool is not None:
                        pool.drain()  # what stopped this process of the server may have stopped others
                    raise psycopg.OperationalError(_SILENT)
                wanted = steps.send(ready)
        except StopIteration as done:
            result: T = done.value
            return result


async def is_server_silent(parameters: Mapping[str, Any], seconds: float) -> bool:
    """Return whether a server leaves a new connection without an answer, in the event loop.

    Args:
        parameters: libpq's connection parameters.
        seconds: How long to wait for the answer.
    """
    try:
        async with asyncio.timeout(seconds):
            connection = await psycopg.AsyncConnection.connect(**parameters)
    except TimeoutError:
        return True
    except psycopg.OperationalError:  # as in ServerWatch
        return False
    await connection.close()
    return False


def patient_connections(parameters: Mapping[str, Any], longest: float) -> type[PatientConnection]:
    """Return a class of connections with a watch of their own for this server; see ServerWatch."""
    return type("WatchedConnection", (PatientConnection,), {"watch": ServerWatch(parameters, longest)})
