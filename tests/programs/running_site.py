"""A whole site in processes of its own, with a worker: imports and events need more than a server."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]
STARTING_SECONDS = 900  # most of it is the database, which is made once
STOPPING_SECONDS = 60


@dataclass(frozen=True)
class RunningSite:
    """A site, keys of a person (one also administers), and a key of an application of hers."""

    url: str
    key: str
    application_key: str
    admin_key: str

    @property
    def environment(self) -> dict[str, str]:
        """What the clients' own tests read."""
        return {
            "MEMSITE_TEST_URL": self.url,
            "MEMSITE_TEST_KEY": self.key,
            "MEMSITE_TEST_APPLICATION_KEY": self.application_key,
            "MEMSITE_TEST_ADMIN_KEY": self.admin_key,
        }


@contextmanager
def running_site(folder: Path, **settings: str) -> Iterator[RunningSite]:
    """Run a site with these settings, without models unless they name one, its data in this folder."""
    port = _free_port()
    environment = clean_environment() | {
        "PORT": str(port),
        "MEMSITE_DATA_DIR": str(folder / "data"),
        "MEMSITE_RATE_LIMIT": "off",
        **settings,
    }
    with (folder / "site.log").open("wb") as log:
        site = subprocess.Popen(  # noqa: S603 - our own command
            [*_manage(), "run"], cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        _wait_until_ready(f"http://127.0.0.1:{port}/readyz", site)
        _run(environment, "create_user", "ann", "--password", "ann-secret-1x")
        key = _run(environment, "issue_key", "ann", "--scopes", "read,write")
        application_key = _run(environment, "issue_key", "ann", "--application", "frontend")
        admin_key = _run(environment, "issue_key", "ann", "--scopes", "read,write,admin")
        yield RunningSite(f"http://127.0.0.1:{port}", key, application_key, admin_key)
    finally:
        site.send_signal(signal.SIGTERM)
        site.wait(STOPPING_SECONDS)


def clean_environment() -> dict[str, str]:
    """Return the environment without the settings of the tests' own site."""
    ours = ("MEMSITE_", "DATABASE_URL", "DJANGO_", "OPENAI_", "PYTEST_", "PORT")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def _manage() -> tuple[str, ...]:
    return (sys.executable, "-W", "ignore", "manage.py")


def _run(environment: dict[str, str], *arguments: str) -> str:
    """Run a command and return the last line that it prints."""
    command = [*_manage(), *arguments]
    run = subprocess.run(  # noqa: S603 - our own command
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=STARTING_SECONDS,
        check=True,
    )
    return run.stdout.strip().splitlines()[-1]


def _wait_until_ready(url: str, site: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < until and site.poll() is None:
        try:
            with urlopen(url, timeout=5) as answer:  # noqa: S310 - our own site
                if answer.status == 200:
                    return
        except (URLError, OSError):
            pass
        time.sleep(0.5)
    raise AssertionError("the site did not start")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
