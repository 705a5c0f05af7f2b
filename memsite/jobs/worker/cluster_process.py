"""The cluster as a child process, in a process group of its own, that the watchdog controls."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from typing import Final

from memsite.jobs.conf import ABLE_WITHIN, SILENT_AFTER, START_AT_MOST, START_WITHIN
from memsite.jobs.processes import WORKER_VARIABLE
from memsite.jobs.worker.cluster import POISONED

_POLL: Final = 0.1  # seconds
_READ: Final = 4096  # bytes; the cluster writes one at each turn of its guard loop


class ClusterProcess:
    """Start, watch and end one cluster at a time."""

    def __init__(self, worker: uuid.UUID) -> None:
        self._worker = worker
        self._process: subprocess.Popen[bytes] | None = None
        self._reader = -1
        self._started = self._first_report = self._last_report = 0.0
        self._may_take = START_WITHIN

    def start(self) -> None:
        """Start the cluster in a new interpreter that inherits only the write end of a pipe."""
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        command = [sys.executable, "-m", "django", "work", f"--cluster={writer}", f"--parent={os.getpid()}"]
        environment = {
            **os.environ,
            WORKER_VARIABLE: str(self._worker),
            "MEMSITE_PROCESS": "worker",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command, env=environment, stdin=subprocess.DEVNULL, pass_fds=(writer,), process_group=0
        )
        os.close(writer)
        self._started, self._first_report, self._last_report = time.monotonic(), 0.0, 0.0

    @property
    def age(self) -> float:
        """Seconds since the cluster was started."""
        return time.monotonic() - self._started

    @property
    def ready_for(self) -> float:
        """Seconds since its guard loop ran first; 0 before. A busy machine takes long to get there."""
        return time.monotonic() - self._first_report if self._first_report else 0.0

    def trouble(self) -> str | None:
        """Return why the cluster must be replaced; None while it works or is still starting.

        The next one may take longer than one that did not start: on a machine so busy that a start takes
        more than a minute, none would ever get there.
        """
        if self._has_exited():
            return "it ended"
        self._listen()
        if not self._last_report:
            if self.age <= self._may_take:
                return None
            self._may_take = min(2 * self._may_take, START_AT_MOST)
            return "it did not start"
        return "its guard loop hangs" if time.monotonic() - self._last_report > SILENT_AFTER else None

    def is_up(self) -> bool:
        """Return whether the guard loop has run recently."""
        self._listen()
        return self._last_report > 0 and time.monotonic() - self._last_report < ABLE_WITHIN

    def end(self, *, grace: float) -> bool:
        """Stop the cluster: SIGTERM, then after `grace` seconds SIGKILL to all its processes.

        Returns:
            Whether it was poisoned: it ended by itself because a lock may be held for ever.
        """
        if self._process is None:
            return False
        if grace and not self._has_exited():
            self._process.send_signal(signal.SIGTERM)
            self._await_exit(grace)
        # Kill the group before reaping: until then the process id, and so the group's id, cannot be reused.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        os.close(self._reader)
        self._process, self._last_report = None, 0.0
        return code == POISONED

    def _has_exited(self) -> bool:
        """Check for an exit without reaping the process."""
        if self._process is None:
            return True
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, look) is not None

    def _await_exit(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._has_exited() and time.monotonic() < end:
            time.sleep(_POLL)

    def _listen(self) -> None:
        if self._process is None:
            return
        with suppress(BlockingIOError):
            if os.read(self._reader, _READ):
                self._last_report = time.monotonic()
                self._first_report = self._first_report or self._last_report
                self._may_take = START_WITHIN
