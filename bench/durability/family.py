"""The processes of a site, found from its supervisor downwards, never by name alone."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memsite.jobs.processes import get_start_time


@dataclass(frozen=True, slots=True)
class Process:
    """One process. Its id may be reused, but not with the same start."""

    pid: int
    start: int

    @property
    def lives(self) -> bool:
        """Whether it still runs."""
        return get_start_time(self.pid) == self.start

    @property
    def age(self) -> float:
        """Seconds since it started."""
        uptime = float(Path("/proc/uptime").read_text(encoding="ascii").split()[0])
        return uptime - self.start / os.sysconf("SC_CLK_TCK")

    @property
    def words(self) -> list[str]:
        """Its command line; empty if it has ended."""
        try:
            return Path(f"/proc/{self.pid}/cmdline").read_text(errors="replace").split("\0")
        except OSError:
            return []

    def send(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.lives:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send(signal.SIGKILL)

    def children(self) -> list[Process]:
        """Return its running children."""
        try:
            listed = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        except OSError:
            return []
        begun = [(int(pid), get_start_time(int(pid))) for pid in listed.split()]
        return [Process(pid, start) for pid, start in begun if start is not None]

    def descendants(self) -> list[Process]:
        """Return its running descendants."""
        return [found for child in self.children() for found in (child, *child.descendants())]


class Family:
    """The processes below a supervisor, by purpose."""

    def __init__(self, supervisor: int) -> None:
        self.supervisor = Process(supervisor, get_start_time(supervisor) or -1)

    def all(self) -> list[Process]:
        """Return the supervisor and all its descendants."""
        return [self.supervisor, *self.supervisor.descendants()]

    def web(self) -> list[Process]:
        """Return the web processes."""
        return self._with_word("serve")

    def worker(self) -> list[Process]:
        """Return the worker's first process, its watchdog."""
        return self._with_word("work")

    def cluster(self) -> list[Process]:
        """Return the process below the watchdog that manages those that run tasks."""
        return [child for worker in self.worker() for child in worker.children()]

    def members(self) -> list[Process]:
        """Return the processes that run tasks, fetch tickets and record results."""
        return [child for cluster in self.cluster() for child in cluster.children()]

    def worker_family(self) -> list[Process]:
        """Return all processes of the worker."""
        return [found for worker in self.worker() for found in (worker, *worker.descendants())]

    def database(self) -> list[Process]:
        """Return PostgreSQL's first process."""
        return self._with_word("-D")

    def sessions(self) -> list[Process]:
        """Return PostgreSQL's processes that serve a connection of the site."""
        backends = [child for server in self.database() for child in server.children()]
        return [backend for backend in backends if "memsite memsite" in " ".join(backend.words)]

    def strangers(self) -> list[Process]:
        """Return direct children of the supervisor that are none of its programs: adopted orphans."""
        own = {
            *self.web(),
            *self.worker(),
            *self.database(),
            *self._with_word("memsite.serving.processes.warden"),
        }
        return [child for child in self.supervisor.children() if child not in own]

    def _with_word(self, word: str) -> list[Process]:
        return [child for child in self.supervisor.children() if word in child.words]
