"""A real `manage.py work` on the test's database, to be killed in part or completely."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from memsite.jobs import get_heartbeat_age
from memsite.jobs.conf import WORKERS
from memsite.jobs.processes import get_start_time
from tests.jobs.sample_tasks import MARKS

ROOT = Path(__file__).parents[2]
#: More than any recovery should take, even on a busy machine.
PATIENCE = 120.0


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> float:
    """Wait until a condition is true; return the seconds it took. Fail if it takes too long."""
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < seconds, "it did not come about in time"
        time.sleep(0.05)
    return time.monotonic() - begin


class Worker:
    """One worker; call `start` and `stop` as often as needed."""

    def __init__(self, marks: Path) -> None:
        self._marks = marks
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it is able to work."""
        process = self.process = subprocess.Popen(
            [sys.executable, "-m", "django", "work"], env=self._environment(), cwd=ROOT
        )
        before = get_heartbeat_age()

        def is_able() -> bool:
            assert process.poll() is None, "the worker ended before it could work"
            age = get_heartbeat_age()
            return age is not None and (before is None or age < before)

        until(is_able)

    def stop(self) -> float:
        """Send SIGTERM; return the seconds until it ended."""
        assert self.process is not None
        begin = time.monotonic()
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0
        return time.monotonic() - begin

    def kill(self) -> None:
        """Send SIGKILL, as the kernel does when memory runs out."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def family(self) -> list[int]:
        """Return all its running descendants."""
        assert self.process is not None
        return _descendants(self.process.pid)

    def cluster(self) -> int:
        """Return the parent of the processes that run tasks."""
        assert self.process is not None
        [only] = _children(self.process.pid)
        return only

    def workers(self) -> list[int]:
        """Return the processes that run tasks: the cluster's first children."""
        return _children(self.cluster())[:WORKERS]

    def _environment(self) -> dict[str, str]:
        database = connection.settings_dict
        address = f"postgresql://{quote(database['USER'])}@/{database['NAME']}?host={quote(database['HOST'])}"
        settings = "tests.jobs.worker_settings"
        own = {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": settings, MARKS: str(self._marks)}
        return {**os.environ, **own}


def end(process: int) -> None:
    """Send SIGKILL, and wait until the process has ended."""
    os.kill(process, signal.SIGKILL)
    until(lambda: get_start_time(process) is None, 10)


def _children(parent: int) -> list[int]:
    try:
        text = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):  # it ended after it was listed
        return []
    return sorted(int(child) for child in text.split())


def _descendants(parent: int) -> list[int]:
    children = _children(parent)
    return [*children, *(below for child in children for below in _descendants(child))]
