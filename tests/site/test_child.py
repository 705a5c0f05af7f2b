"""One program and its process."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from memsite.serving.processes import processes
from memsite.serving.processes.child import Child, Program

STUBBORN = "import signal, time; signal.signal(15, signal.SIG_IGN); print('on', flush=True); time.sleep(60)"
PARENT = (
    "import subprocess, sys, time; subprocess.Popen(['sleep', '60']); print('on', flush=True); time.sleep(60)"
)


def start(code: str, output: Path, **options: float) -> Child:
    program = Program(
        "sample", (sys.executable, "-c", code), output=output, patience=options.get("patience", 10.0)
    )
    child = Child(program)
    child.start()
    assert processes.wait_until(lambda: "on" in output.read_text(), 20.0)
    return child


def test_stop_ends_a_willing_process_by_its_signal(tmp_path: Path) -> None:
    child = start("import time; print('on', flush=True); time.sleep(60)", tmp_path / "output")
    child.stop()
    assert child.exit_code() == -signal.SIGTERM


def test_stop_kills_an_unwilling_process_after_its_patience(tmp_path: Path) -> None:
    child = start(STUBBORN, tmp_path / "output", patience=0.1)
    child.stop()
    assert child.exit_code() == -signal.SIGKILL


def test_kill_reaches_descendants(tmp_path: Path) -> None:
    child = start(PARENT, tmp_path / "output")
    assert child.pid is not None
    assert len(processes.list_session_processes(child.pid)) == 2
    child.kill()
    assert processes.wait_until(lambda: not processes.list_session_processes(child.pid or 0), 10.0)


def test_program_can_be_started_again(tmp_path: Path) -> None:
    child = start("print('on', flush=True)", tmp_path / "output")
    assert processes.wait_until(lambda: not child.runs(), 10.0)
    first = child.pid
    assert child.start() != first
    child.stop()


def test_bare_program_gets_nothing_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_OURS", "x")
    code = "import os; print(sorted(os.environ.keys() & {'OF_OURS', 'ITS_OWN'}), 'on')"
    environment = {"ITS_OWN": "y"}
    program = Program(
        "bare", (sys.executable, "-c", code), environment, bare=True, output=tmp_path / "output"
    )
    child = Child(program)
    child.start()
    assert processes.wait_until(lambda: not child.runs(), 10.0)
    assert (tmp_path / "output").read_text() == "['ITS_OWN'] on\n"
