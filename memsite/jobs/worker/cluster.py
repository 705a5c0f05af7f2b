"""The processes that run tasks: django-q2's sentinel, changed to exit with an error instead of hanging."""

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

#: Exit code of a cluster that ended because a dead child may hold a lock for ever.
POISONED: Final = 75
_IDLE: Final = -1.0  # value of a django-q2 worker's timer between tasks


class Flag:
    """Replacement for the two events of django-q2's guard loop; each wait is one turn of that loop.

    An `Event` has a lock, which could deadlock with a signal handler that sets it. This class has none.
    """

    def __init__(self, report: int | None = None) -> None:
        self._set = False
        self._report = report

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set

    def wait(self, seconds: float) -> bool:
        """Report a turn of the loop to the watchdog, and sleep."""
        if self._report is not None:
            with suppress(BlockingIOError):  # the pipe is full of unread reports: another one adds nothing
                os.write(self._report, b".")
        if not self._set:
            time.sleep(seconds)
        return self._set


class Cluster(Sentinel):  # type: ignore[misc] # django-q2 has no types
    """Two workers, a pusher and a monitor. Runs in the process that creates it, until SIGTERM."""

    def __init__(self, report: int) -> None:
        super().__init__(Flag(report), Flag(), uuid.uuid4())

    def start(self) -> None:
        signal.signal(signal.SIGTERM, self._stop)
        super().start()

    def reincarnate(self, process: Any) -> None:  # noqa: ANN401 - a multiprocessing.Process with a timer
        """Replace a dead child, or exit if the child may have held a lock of a queue when it was killed.

        An idle worker holds the queue's lock while it waits: if it is killed, the others wait for ever.
        A busy worker holds no lock.
        """
        killed = process.exitcode is not None and process.exitcode < 0
        busy = process in self.pool and process.timer.value != _IDLE
        if killed and not busy:
            os._exit(POISONED)
        super().reincarnate(process)

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self.stop_event.set()


def run_cluster(report: int, parent: int) -> None:
    """Run the cluster until SIGTERM or until the parent ends.

    Args:
        report: File descriptor that receives a byte at each turn of the guard loop, twice a second.
        parent: Id of the parent process; when it ends, this process ends.
    """
    processes.die_with_parent(parent)
    processes.let_others_go_first()
    os.set_blocking(report, False)
    multiprocessing.set_start_method("fork", force=True)
    # Each process polls for work all the time, and opening a connection for every poll would cost more than
    # the poll. The sentinel closes its own connection before each fork; CONN_HEALTH_CHECKS finds dead ones.
    connection.settings_dict.update(CONN_MAX_AGE=None, CONN_HEALTH_CHECKS=True)
    _Family().watch_forks()
    Cluster(report)


class _Family:
    """Makes every descendant die with its parent and end on SIGTERM."""

    parent = 0

    def watch_forks(self) -> None:
        os.register_at_fork(before=self._before, after_in_child=self._in_child)

    def _before(self) -> None:
        self.parent = os.getpid()

    def _in_child(self) -> None:
        processes.die_with_parent(self.parent)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
