"""Keeping programs running, and leaving nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memsite.serving.processes import processes
from memsite.serving.processes.child import Child, Program
from memsite.serving.processes.warden import Warden
from memsite.serving.supervision.supervisor import Supervisor

SLEEPER = "import time; time.sleep(60)"
FAMILY = "import subprocess, time; [subprocess.Popen(['sleep', '60']) for _ in range(2)]; time.sleep(60)"
# A supervisor as a process of its own, so that it can be killed: it prints its child's id and keeps watching.
SUPERVISING = f"""
import sys
from memsite.serving.processes.child import Program
from memsite.serving.supervision.supervisor import Supervisor
with Supervisor(lambda sentence: None) as supervisor:
    child = supervisor.start(Program("family", (sys.executable, "-c", {FAMILY!r})))
    print(child.pid, flush=True)
    supervisor.watch(until=lambda: False)
"""


class Said(list[str]):
    def __call__(self, sentence: str) -> None:
        self.append(sentence)


def sleeper(name: str = "sleeper", stage: int = 0) -> Program:
    return Program(name, (sys.executable, "-c", SLEEPER), stage=stage)


def kill_first(child: Child) -> int:
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    return child.pid


def test_ended_program_is_started_again_and_told() -> None:
    said = Said()
    with Supervisor(said) as supervisor:
        child = supervisor.start(sleeper())
        first = kill_first(child)
        supervisor.watch(until=lambda: child.pid != first and child.runs())
    assert "sleeper ended (signal 9)" in said[0]


def test_program_that_cannot_start_is_tried_again(tmp_path: Path) -> None:
    said, script = Said(), tmp_path / "script"
    script.write_text(f"#!{sys.executable}\n{SLEEPER}\n")
    script.chmod(0o755)
    with Supervisor(said) as supervisor:
        child = supervisor.start(Program("script", (str(script),)))
        script.chmod(0o644)
        first = kill_first(child)
        supervisor.watch(until=lambda: any("cannot start" in sentence for sentence in said))
        script.chmod(0o755)
        supervisor.watch(until=lambda: child.pid != first and child.runs())


def test_leaving_stops_the_highest_stage_first(tmp_path: Path) -> None:
    note = (
        "import signal, sys, time\ndef end(*_): open(sys.argv[1], 'a').write(sys.argv[2] + ' '); sys.exit()\n"
    )
    note += "signal.signal(signal.SIGTERM, end); print('on', flush=True); time.sleep(60)"
    order, output = tmp_path / "order", tmp_path / "output"
    with Supervisor(Said()) as supervisor:
        for name, stage in (("below", 0), ("above", 1)):
            argv = (sys.executable, "-c", note, str(order), name)
            supervisor.start(Program(name, argv, stage=stage, output=output))
        assert processes.wait_until(lambda: output.read_text().count("on") == 2, 20.0)
    assert order.read_text() == "above below "


def test_leaving_by_an_error_stops_everything() -> None:
    children: list[Child] = []

    def fail_after_start() -> None:
        with Supervisor(Said()) as supervisor:
            children.append(supervisor.start(sleeper()))
            supervisor.watch(until=lambda: bool(1 / 0))

    with pytest.raises(ZeroDivisionError):
        fail_after_start()
    assert not children[0].runs()


def test_orphans_are_reaped() -> None:
    argv = [sys.executable, "-c", "import subprocess; print(subprocess.Popen(['sleep', '0.1']).pid)"]
    with Supervisor(Said()) as supervisor:
        done = subprocess.run(argv, stdout=subprocess.PIPE, check=True, text=True)  # noqa: S603 - our own
        orphan = Path("/proc") / done.stdout.strip()
        supervisor.watch(until=lambda: not orphan.exists())


def test_nothing_outlives_a_killed_supervisor() -> None:
    argv = [sys.executable, "-c", SUPERVISING]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as supervisor:  # noqa: S603 - our own
        assert supervisor.stdout is not None
        child = int(supervisor.stdout.readline())
        assert processes.wait_until(lambda: len(processes.list_session_processes(child)) == 3, 20.0)
        supervisor.kill()
    assert processes.wait_until(lambda: not processes.list_session_processes(child), 10.0)


def test_descendants_of_a_killed_program_end_with_it() -> None:
    with Supervisor(Said()) as supervisor:
        child = supervisor.start(Program("family", (sys.executable, "-c", FAMILY)))
        first = child.pid or 0
        assert processes.wait_until(lambda: len(processes.list_session_processes(first)) == 3, 20.0)
        kill_first(child)
        supervisor.watch(until=lambda: child.pid != first)
        assert processes.wait_until(lambda: not processes.list_session_processes(first), 10.0)


def test_killed_warden_is_replaced_by_one_that_knows_all() -> None:
    warden = Warden()
    warden.keep()
    child = Child(sleeper())
    warden.watch(child.start())
    assert warden.pid is not None
    os.kill(warden.pid, signal.SIGKILL)
    assert processes.wait_until(lambda: not processes.list_session_processes(warden.pid or 0), 10.0)
    warden.keep()
    warden.close()
    assert processes.wait_until(lambda: not child.runs(), 10.0)
