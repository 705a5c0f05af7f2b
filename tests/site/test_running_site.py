"""`manage.py run`, with its processes killed one after another."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from memsite.serving.processes import processes

pytestmark = pytest.mark.kill

#: The database is asked for it.
UNKNOWN_KEY = "msk_unknown1_" + "x" * 32
MANAGE = (sys.executable, str(Path(__file__).parents[2] / "manage.py"))


class Site:
    """A whole site with a data directory of its own."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self.data_dir, self.port = data_dir, port
        self.output = data_dir.with_suffix(".output")
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("DATABASE", "DJANGO"))
        }
        self.environment = {**kept, "MEMSITE_DATA_DIR": str(data_dir), "PORT": str(port)}

    def start(self) -> None:
        with self.output.open("ab") as output:
            self.supervisor = subprocess.Popen(  # noqa: S603 - our own
                (*MANAGE, "run"), env=self.environment, stdout=output, stderr=output
            )
        ended_or_ready = processes.wait_until(lambda: self.has_ended() or self.status("/readyz") == 200, 90.0)
        if not ended_or_ready or self.has_ended():
            self.supervisor.kill()
            self.supervisor.wait()
            pytest.fail(self.output.read_text())

    def has_ended(self) -> bool:
        return self.supervisor.poll() is not None

    def status(self, path: str, key: str = "") -> int | None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - http, ours
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def is_ready(self, looks: int = 5) -> bool:
        """Whether every web process is likely to have said so."""
        return all(self.status("/readyz") == 200 for _ in range(looks))

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own
            (*MANAGE, *arguments),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def find(self, word: str) -> list[int]:
        """Ids of the supervisor's children whose command line holds this word."""
        return [pid for pid in children(self.supervisor.pid) if word in command_line(pid)]

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.supervisor.send_signal(number)
        return self.supervisor.wait(15)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    return [pid, *(descendant for child in children(pid) for descendant in family(child))]


def command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def gone(pids: list[int]) -> bool:
    return not any(command_line(pid) for pid in pids)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="memsite-kill-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def shared(folder: Path) -> Iterator[Site]:
    site = Site(folder / "data", free_port())
    site.start()
    yield site
    if not site.has_ended():
        site.stop()


@pytest.fixture
def site(shared: Site) -> Site:
    """A site that is up, whatever the test before did to it."""
    if shared.has_ended():
        shared.start()
    assert processes.wait_until(shared.is_ready, 60.0)
    return shared


def test_web_processes_share_the_memory_that_threads_free(site: Site) -> None:
    found = [Path(f"/proc/{one}/environ").read_bytes().split(b"\0") for one in site.find("serve")]
    assert len(found) == 2
    assert all(b"MALLOC_ARENA_MAX=2" in environment for environment in found)


def test_killed_database_comes_back(site: Site) -> None:
    before = site.find("-D")
    os.kill(before[0], signal.SIGKILL)
    assert processes.wait_until(lambda: site.find("-D") not in ([], before), 30.0)
    assert processes.wait_until(site.is_ready, 30.0)


def test_killed_web_processes_come_back(site: Site) -> None:
    before = site.find("serve")
    processes.send_signal(before, signal.SIGKILL)
    assert processes.wait_until(lambda: gone(before) and len(site.find("serve")) == 2, 30.0)
    assert processes.wait_until(lambda: site.status("/healthz") == 200, 30.0)


def test_stopped_database_costs_503_at_most_and_serves_again_when_it_goes_on(site: Site) -> None:
    server = family(site.find("-D")[0])
    processes.send_signal(server, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert [site.status("/healthz") for _ in range(10)] == [200] * 10
        assert time.monotonic() - began < 3
        assert [site.status("/api/memories", UNKNOWN_KEY) for _ in range(3)] == [503] * 3
        assert site.status("/healthz") == 200
    finally:
        processes.send_signal(server, signal.SIGCONT)
    assert processes.wait_until(lambda: site.status("/api/memories", UNKNOWN_KEY) == 401, 5.0)


def test_killed_worker_comes_back_and_leaves_nothing(site: Site) -> None:
    [worker] = site.find("work")
    before = family(worker)
    os.kill(worker, signal.SIGKILL)
    assert processes.wait_until(lambda: gone(before) and len(site.find("work")) == 1, 30.0)
    assert processes.wait_until(site.is_ready, 60.0)


def test_nothing_outlives_a_killed_supervisor(site: Site) -> None:
    before = family(site.supervisor.pid)
    site.supervisor.kill()
    site.supervisor.wait()
    assert processes.wait_until(lambda: gone(before), 15.0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_everything_cleanly(site: Site, number: int) -> None:
    before = family(site.supervisor.pid)
    assert site.stop(number) == 0
    assert gone(before)


def test_second_start_is_refused(site: Site) -> None:
    refused = site.command("run")
    assert refused.returncode == 1
    assert f"already running with the data directory {site.data_dir}" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_taken_port_is_told_before_anything_is_started(site: Site, folder: Path) -> None:
    refused = Site(folder / "other", site.port).command("run")
    assert refused.returncode == 1
    assert f"port {site.port} of 127.0.0.1 is taken" in refused.stderr
    assert not (folder / "other" / "postgres").exists()


def test_command_works_beside_the_running_site(site: Site) -> None:
    assert site.command("migrate", "--check").returncode == 0


def test_command_without_its_site_says_how_to_start_it(folder: Path) -> None:
    failed = Site(folder / "absent", free_port()).command("migrate", "--check")
    assert failed.returncode == 1
    assert "make run" in failed.stderr
    assert "Traceback" not in failed.stderr
