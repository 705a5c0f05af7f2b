"""A temporary site: `manage.py run` with a data directory of its own, to be killed in part or completely."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.rows import dict_row

from bench.durability.family import Family, Process
from memsite.serving.postgres.database import get_embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER
from memsite.serving.processes.processes import wait_until

_MANAGE: Final = (sys.executable, str(Path(__file__).parents[2] / "manage.py"))
_FOREIGN: Final = ("MEMSITE_", "OPENAI_", "DATABASE_", "DJANGO_")
_START_WITHIN, _STOP_WITHIN, _END_WITHIN = (
    180.0,
    30.0,
    20.0,
)  # seconds, on a machine busy with other things, too

Row = dict[str, Any]


class SiteFailed(Exception):
    """The site failed in a way that ends the run; the message says how."""


class Site:
    """A whole site; call `start` and `stop` or `crash` as often as needed."""

    def __init__(self, folder: Path) -> None:
        """Prepare a site in an empty folder, for its data and its output."""
        self.data_dir, self.output = folder / "data", folder / "output"
        self.port = _free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        #: Every process of the site that was ever seen.
        self.seen: set[Process] = set()
        self._supervisor: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it is ready. Raises SiteFailed."""
        with self.output.open("ab") as output:
            self._supervisor = subprocess.Popen(  # noqa: S603 - our own command
                (*_MANAGE, "run"),
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        ready = wait_until(lambda: self.has_ended() or self.is_ready(), _START_WITHIN, pause=0.3)
        if not ready or self.has_ended():
            raise SiteFailed("the site did not start:\n" + "\n".join(self.last_words()))

    def stop(self) -> None:
        """Stop it by SIGTERM. Raises SiteFailed if it does not stop, or not cleanly."""
        self.family()
        supervisor = self._running()
        supervisor.send_signal(signal.SIGTERM)
        try:
            code = supervisor.wait(_STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self.crash()
            raise SiteFailed(f"the site did not stop within {_STOP_WITHIN:.0f} s") from None
        if code != 0:
            raise SiteFailed(f"the site ended with exit code {code}")

    def crash(self) -> None:
        """Kill the supervisor, and wait until no process of the site is left. Raises SiteFailed."""
        supervisor, family = self._running(), self.family().all()
        supervisor.kill()
        supervisor.wait()
        if not wait_until(lambda: not any(process.lives for process in family), _END_WITHIN):
            left = [process.pid for process in family if process.lives]
            raise SiteFailed(
                f"{len(left)} processes outlived their supervisor by {_END_WITHIN:.0f} s: {left}"
            )

    def has_ended(self) -> bool:
        """Return whether its supervisor has ended or was never started."""
        return self._supervisor is None or self._supervisor.poll() is not None

    def is_ready(self) -> bool:
        """Return whether it reports that it is ready."""
        try:
            with urllib.request.urlopen(f"{self.base}/readyz", timeout=10) as answer:  # noqa: S310 - http, ours
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def family(self) -> Family:
        """Return its present processes."""
        family = Family(self._running().pid)
        self.seen.update(family.all())
        return family

    def outlived(self) -> list[int]:
        """Return the seen processes that still run."""
        return sorted(process.pid for process in self.seen if process.lives)

    def command(self, *arguments: str) -> str:
        """Return the output of a management command. Raises SiteFailed."""
        done = subprocess.run(  # noqa: S603 - our own command
            (*_MANAGE, *arguments), env=self._environment(), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SiteFailed(f"manage.py {arguments[0]}: {done.stderr}")
        return done.stdout

    def ask(self, statement: str, *values: object) -> list[Row]:
        """Return rows of its database. Raises psycopg.Error, also while the database is unavailable."""
        parameters = {**get_embedded_parameters(self.data_dir, user=SUPERUSER), "connect_timeout": 3}
        with psycopg.connect(**parameters, row_factory=dict_row, autocommit=True) as connection:
            return connection.execute(statement, values).fetchall()

    def last_words(self, lines: int = 15) -> list[str]:
        """Return the end of its output."""
        return self.output.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]

    def _running(self) -> subprocess.Popen[bytes]:
        if self._supervisor is None:
            raise SiteFailed("the site was not started")
        return self._supervisor

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        own = {
            "MEMSITE_RATE_LIMIT": "off",
            "MEMSITE_LOG_LEVEL": "warning",
            "MEMSITE_REFLECTION_EPISODES": "1",  # none is left unread at the end
            "MEMSITE_DATA_DIR": str(self.data_dir),
            "PORT": str(self.port),
        }
        return {**kept, **own}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
