"""The watchdog behind `manage.py work`: keeps one cluster running and recovers lost jobs.

It also writes the heartbeat that says whether the worker is able to work.
"""

from __future__ import annotations

import signal
import time
import uuid
from collections.abc import Callable
from types import FrameType
from typing import Final

import structlog
from django.db import Error, connection

from memsite.jobs import heartbeat, schedules
from memsite.jobs.conf import HEARTBEAT_EVERY, STALLED_AFTER, STOP_WITHIN, SWEEP_EVERY, TICKET_LOST_AFTER
from memsite.jobs.worker import recovery
from memsite.jobs.worker.cluster_process import ClusterProcess
from memsite.serving.postgres import explain_newer, list_newer_migrations

log = structlog.get_logger(__name__)
_STEP: Final = 0.2  # seconds between checks of the cluster and of our own stop signal
_RETRY: Final = 1.0  # seconds between tries to reach the database before a cluster is started
_LONGEST_PAUSE: Final = 30.0  # seconds before a cluster that keeps ending is started again
_SETTLED: Final = 60.0  # seconds after which a cluster counts as started well


class Watchdog:
    """One worker: call `run` once, in the main thread."""

    def __init__(self) -> None:
        self.worker = uuid.uuid4()
        self._cluster = ClusterProcess(self.worker)
        self._stopping = False
        self._restarts = 0
        self._next_beat = self._next_sweep = 0.0

    def run(self) -> None:
        """Work until SIGTERM or SIGINT, then stop within about 6 s and queue unfinished jobs again."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        self._arrive()
        if not self._stopping:
            self._cluster.start()
        while not self._stopping:
            self._pause(_STEP)
            self._watch()
        self._leave()

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def _arrive(self) -> None:
        """Prepare the queue as soon as the database is available and has our tables."""
        while not self._stopping and not self._try(self._put_in_order):
            self._pause(_RETRY)
        log.info("worker started", worker=str(self.worker))

    def _put_in_order(self) -> None:
        newer = list_newer_migrations()
        if newer:
            raise SystemExit(explain_newer(newer))
        recovery.recover_lost(self.worker)
        recovery.mend_tickets(fetched_before=recovery.get_time_before(0))
        schedules.synchronise_schedules()
        schedules.fire_at_start()

    def _watch(self) -> None:
        trouble = self._cluster.trouble()
        if trouble is not None:
            self._restart(trouble)
        now = time.monotonic()
        if now >= self._next_beat:
            self._next_beat = now + HEARTBEAT_EVERY
            self._try(self._tend)

    def _tend(self) -> None:
        recovery.recover_own(self.worker)
        if time.monotonic() >= self._next_sweep:
            self._next_sweep = time.monotonic() + SWEEP_EVERY
            recovery.recover_lost(self.worker)
            recovery.mend_tickets(fetched_before=recovery.get_time_before(TICKET_LOST_AFTER))
            schedules.bring_forward()
        if self._cluster.ready_for > STALLED_AFTER and heartbeat.is_stalled(self.worker):
            self._restart("a due job lies while nothing runs", blameless=True)
        elif self._cluster.is_up():
            heartbeat.record_heartbeat(self.worker)

    def _restart(self, reason: str, *, blameless: bool = False) -> None:
        """Replace the cluster.

        Its running jobs lose an attempt, unless they are known not to be the cause (`blameless`).
        """
        log.error("cluster restarted", reason=reason, worker=str(self.worker))
        self._restarts = 0 if self._cluster.age > _SETTLED else self._restarts + 1
        blameless = self._cluster.end(grace=0) or blameless
        while not self._stopping and not self._try(lambda: self._clean_up(blameless=blameless)):
            self._restarts = 0  # no database: the cluster's end was not its own failure
            self._pause(_RETRY)
        self._pause(min(_LONGEST_PAUSE, 2.0 ** (self._restarts - 1) - 1))
        if not self._stopping:
            self._cluster.start()

    def _clean_up(self, *, blameless: bool) -> None:
        if blameless:
            recovery.put_back_own(self.worker)
        else:
            recovery.recover_own(self.worker)
        recovery.mend_tickets(fetched_before=recovery.get_time_before(0))

    def _leave(self) -> None:
        self._cluster.end(grace=STOP_WITHIN)
        self._try(lambda: recovery.put_back_own(self.worker))
        self._try(lambda: heartbeat.sign_off(self.worker))
        log.info("worker stopped", worker=str(self.worker))

    def _try(self, action: Callable[[], object]) -> bool:
        """Run a database action. Return False, after a warning, if the database does not answer."""
        try:
            action()
        except Error as error:
            log.warning("the database does not answer", error=type(error).__name__)
            connection.close()
            return False
        return True

    def _pause(self, seconds: float) -> None:
        """Sleep in short steps and stop at a stop signal: a handler that woke us would need a lock."""
        end = time.monotonic() + seconds
        while not self._stopping and (left := end - time.monotonic()) > 0:
            time.sleep(min(left, _STEP))
