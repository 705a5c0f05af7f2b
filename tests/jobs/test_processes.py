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
