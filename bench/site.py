"""The site to measure: a running one, or a temporary one of our own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.connection import Person, wait_until_ready
from memsite.serving.management.commands.run import WEB_ENVIRONMENT
from memsite.serving.postgres.database import get_embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER

ROOT: Final = Path(__file__).resolve().parent.parent
_START_SECONDS: Final = 180.0
_STOP_SECONDS: Final = 20.0
#: Keys created at once, because starting a command takes a second.
_KEYS: Final = 40

_MAKE_KEYS: Final = """
import json
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.accounts.applications import find_or_create_application
users = [User.objects.create(username=f"bench-{{number}}") for number in range({number})]
keys = [issue_key(user, name="bench")[1] for user in users]
application = find_or_create_application(users[0], "bench")
print(json.dumps([keys, issue_key(users[0], name="bench", application=application)[1]]))
"""


@dataclass(slots=True)
class Site:
    """A site to measure.

    Attributes:
        keys: Unused keys, each of another person.
        application_key: Acts for any number of end users.
        database: libpq's parameters if the database can be queried directly, else None.
        environment: The variables of our own site.
    """

    url: str
    keys: list[str]
    application_key: str = ""
    database: dict[str, Any] | None = None
    environment: dict[str, str] = field(default_factory=dict)
    _people: int = 0

    def person(self) -> Person:
        """Return a person without memories, with a key of their own while there are any."""
        if self.keys:
            return Person(self.keys.pop(0))
        return self.end_user()

    def end_user(self) -> Person:
        """Return a new end user of the application."""
        if not self.application_key:
            raise SystemExit("Not enough keys: give --key several times, or --application-key.")
        self._people += 1
        return Person(self.application_key, f"bench-{os.getpid()}-{self._people}")


@contextmanager
def own_site(**settings: str) -> Iterator[Site]:
    """Start a site without data in a temporary folder on a free port; stop it by SIGTERM at the end.

    Args:
        settings: More variables of its environment.
    """
    folder = Path(tempfile.mkdtemp(prefix="memsite-bench-"))
    environment = _environment(folder / "data", _free_port()) | settings
    url = f"http://127.0.0.1:{environment['PORT']}"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own command
            _manage("run"), env=environment, cwd=ROOT, stdout=log, stderr=log
        )
    try:
        if not wait_until_ready(url, _START_SECONDS):
            raise SystemExit(f"The site did not start:\n{(folder / 'log').read_text(errors='replace')}")
        keys, application_key = _make_keys(environment)
        superuser = get_embedded_parameters(folder / "data", user=SUPERUSER)
        yield Site(url, keys, application_key, superuser, environment)
    finally:
        _stop(process)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def web_process(site: Site) -> Iterator[tuple[int, int]]:
    """Start one more web process of the site, on a port of its own. Gives its id and port."""
    with socket.create_server(("127.0.0.1", 0), backlog=2_000) as listener:
        number = listener.fileno()
        process = subprocess.Popen(  # noqa: S603 - our own command
            _manage("serve", "--fd", str(number)),
            env=site.environment | WEB_ENVIRONMENT,
            pass_fds=[number],
        )
        port = listener.getsockname()[1]
    try:
        if not wait_until_ready(f"http://127.0.0.1:{port}", _START_SECONDS, path="/healthz"):
            raise SystemExit("The web process did not start.")
        yield process.pid, port
    finally:
        process.terminate()
        process.wait(30)


def list_processes(site: Site) -> dict[int, Sequence[str]]:
    """Return the words of the command of each process of our own site, by its id."""
    mark, found = f"MEMSITE_DATA_DIR={site.environment.get('MEMSITE_DATA_DIR')}", dict[int, Sequence[str]]()
    for process in (int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()):
        with suppress(OSError):  # it has ended
            if mark in read_words(process, "environ"):
                found[process] = [Path(one).name for one in read_words(process, "cmdline")]
    return found


def sum_processor_time(processes: Iterable[int]) -> float:
    """Return the milliseconds of processor time that the running threads of processes have used so far."""
    spent = 0
    for process in processes:
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):  # it has ended
                spent += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
    return spent / 1e6


def count_threads(process: int) -> int:
    """Return how many threads a process has."""
    return len(list(Path(f"/proc/{process}/task").iterdir()))


def read_words(process: int, name: str) -> list[str]:
    """Return the words of a file of a process, such as `cmdline` or `environ`."""
    return Path(f"/proc/{process}/{name}").read_text(encoding="utf-8", errors="replace").split("\0")


def _environment(data_dir: Path, port: int) -> dict[str, str]:
    """Return our environment without settings of another site or this client; requests and episodes
    unlimited.
    """
    foreign = ("MEMSITE_", "OPENAI_", "DATABASE_URL", "DJANGO_", "OPENBLAS_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return kept | {
        "PORT": str(port),
        "MEMSITE_DATA_DIR": str(data_dir),
        "MEMSITE_RATE_LIMIT": "off",
        "MEMSITE_EPISODIC_CAP": "0",
        "MEMSITE_LOG_LEVEL": "warning",
    }


def _make_keys(environment: dict[str, str]) -> tuple[list[str], str]:
    code = _MAKE_KEYS.format(number=_KEYS)
    done = subprocess.run(  # noqa: S603 - our own command
        _manage("shell", "--no-imports", "-c", code),
        check=False,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"No keys could be made:\n{done.stderr}")
    keys, application_key = json.loads(done.stdout.splitlines()[-1])
    return keys, application_key


def _manage(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
