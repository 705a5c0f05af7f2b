"""Query and signal processes: sessions, working folders, orphans.

Linux provides this through /proc and prctl(2). Elsewhere the functions return less (an empty list, or a
process group instead of a session), and `warden`, which watches the supervisor's pipe, does the rest.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36


def make_parent_death_hook(death_signal: int) -> Callable[[], None]:
    """Return a preexec_fn for Popen: the child gets this signal when its parent ends, however it ends."""
    if sys.platform != "linux":
        return lambda: None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def arrange() -> None:
        prctl(_PR_SET_PDEATHSIG, death_signal)
        if os.getppid() != parent:  # it ended before prctl was called
            os.kill(os.getpid(), signal.SIGKILL)

    return arrange


def adopt_orphans(*, adopt: bool = True) -> None:
    """Become the parent of orphaned descendants, so that they can be reaped, or stop being it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(adopt))


def reap_strangers(own_pids: Collection[int]) -> None:
    """Reap the ended children that are not among the known ones: adopted orphans."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in own_pids:
                return  # its own waiter reaps it
            os.waitpid(ended.si_pid, 0)


def list_session_processes(session: int) -> list[int]:
    """Return the running processes of a session, without zombies. The leader's id is the session's id."""
    if not PROC.exists():
        return [-session] if _group_lives(session) else []
    return [pid for pid, fields in _table() if fields[3] == str(session) and fields[0] != "Z"]


def list_processes_in(folder: Path) -> list[int]:
    """Return the running processes whose working directory is this folder."""
    target, found = str(folder.resolve()), []
    for pid, fields in _table():
        with contextlib.suppress(OSError):
            if fields[0] != "Z" and os.readlink(PROC / str(pid) / "cwd") == target:  # noqa: PTH115 - as text
                found.append(pid)
    return found


def send_signal(pids: Iterable[int], number: int) -> None:
    """Send a signal to each process that still exists."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def wait_until(condition: Callable[[], bool], seconds: float, *, pause: float = 0.05) -> bool:
    """Return whether the condition came true within this many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
    return True


def _table() -> list[tuple[int, list[str]]]:
    """Return the id of each process with its state, parent, group and session, as in /proc/PID/stat."""
    rows: list[tuple[int, list[str]]] = []
    for entry in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The command's name is in parentheses and may contain anything, even parentheses.
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
            rows.append((int(entry.parent.name), fields[:4]))
    return rows


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True
