"""One site for one data directory."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memsite.serving.supervision.lock import AlreadyRunning, hold_lock

HOLDER = """
import sys, time
from pathlib import Path
from memsite.serving.supervision.lock import hold_lock
with hold_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def start_holder(path: Path) -> subprocess.Popen[str]:
    argv = [sys.executable, "-c", HOLDER, str(path)]
    holder = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_second_holder_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    with start_holder(tmp_path / "lock") as holder:
        with pytest.raises(AlreadyRunning, match=f"process {holder.pid}"), hold_lock(tmp_path / "lock"):
            pass
        holder.kill()


def test_lock_of_a_killed_holder_is_free(tmp_path: Path) -> None:
    with start_holder(tmp_path / "lock") as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with hold_lock(tmp_path / "lock"):
        assert (tmp_path / "lock").exists()


def test_lock_can_be_taken_again_after_its_release(tmp_path: Path) -> None:
    with hold_lock(tmp_path / "lock"):
        pass
    with hold_lock(tmp_path / "lock"):
        pass
