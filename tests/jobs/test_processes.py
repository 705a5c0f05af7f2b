"""Telling one process from another."""

import os
import subprocess
import sys

from memsite.jobs import processes


def test_this_process_is_alive() -> None:
    start = processes.get_start_time(os.getpid())
    assert start is not None
    assert processes.is_alive(os.getpid(), start)


def test_process_that_took_over_a_number_is_another() -> None:
    assert not processes.is_alive(os.getpid(), 1)


def test_zombie_is_dead() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert processes.get_start_time(process.pid) is None
    process.wait()


def test_place_fits_its_column() -> None:
    assert 0 < len(processes.get_host_id()) <= 100


def test_worker_lets_requests_go_first() -> None:
    program = [
        sys.executable,
        "-c",
        "import os; from memsite.jobs import processes as p; p.let_others_go_first(); print(os.nice(0))",
    ]
    ran = subprocess.run(program, capture_output=True, text=True, check=True, start_new_session=True)  # noqa: S603 - ours
    assert int(ran.stdout) == os.nice(0) + processes.NICENESS
