"""The processes that run tasks: django-q2's sentinel, made to fail loudly instead of hanging."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import uuid
from contextlib import suppress
from types import FrameType
from typing import Any, Final

from django.db import connection
from django_q.cluster import Sentinel

from memsite.jobs import processes

#: The exit code that says: a child died in a way that may have left a lock taken for good.
POISONED: Final = 75
_IDLE: Final = -1.0  # what a django-q2 worker's timer shows between tasks


class Flag:
    """Stands in for the two events of django-q2's guard loop. Each wait is a turn of that loop.

    An Event's lock could deadlock with a signal handler that sets it; this has none.
    """

    def __init__(self, report: int | None = None) -> None:
        self._set = False
        self._report = report

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set

    def wait(self, seconds: float) -> bool:
        """Tell the watchdog that the loop turns, and sleep."""
        if self._report is not None:
            with suppress(BlockingIOError):  # nobody has read for long: there is enough to read
                os.write(self._report, b".")
        if not self._set:
            time.sleep(seconds)
        return self._set


class Cluster(Sentinel):  # type: ignore[misc] # django-q2 has no types
    """Two workers, a pusher and a monitor; runs in the process that makes it until SIGTERM."""

    def __init__(self, report: int) -> None:
        super().__init__(Flag(report), Flag(), uuid.uuid4())

    def start(self) -> None:
        signal.signal(signal.SIGTERM, self._stop)
        super().start()

    def reincarnate(self, process: Any) -> None:  # noqa: ANN401 - a multiprocessing.Process with a timer
        """Replace a dead child; but if it was killed while it may have held a lock of a queue, end here.

        An idle worker waits *with* the queue's lock: killed, it leaves the others waiting for ever.
        A busy one holds none.
        """
        killed = process.exitcode is not None and process.exitcode < 0
        busy = process in self.pool and process.timer.value != _IDLE
        if killed and not busy:
            os._exit(POISONED)
        super().reincarnate(process)

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self.stop_event.set()


def run(report: int, parent: int) -> None:
    """Be the cluster, until SIGTERM or the parent's end.

    report: a file descriptor that gets a byte at each turn of the guard loop, twice a second.
    parent: the process that must not be outlived.
    """
    processes.die_with_parent(parent)
    os.set_blocking(report, False)
    multiprocessing.set_start_method("fork", force=True)
    # Each process looks for work for ever: a connection a look would cost more than the look. The
    # sentinel closes its own before each fork, and dead ones are found by CONN_HEALTH_CHECKS.
    connection.settings_dict.update(CONN_MAX_AGE=None, CONN_HEALTH_CHECKS=True)
    _Family().watch_forks()
    Cluster(report)


class _Family:
    """Every descendant dies with its parent, and takes SIGTERM as its end."""

    parent = 0

    def watch_forks(self) -> None:
        os.register_at_fork(before=self._before, after_in_child=self._in_child)

    def _before(self) -> None:
        self.parent = os.getpid()

    def _in_child(self) -> None:
        processes.die_with_parent(self.parent)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
