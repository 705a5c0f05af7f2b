"""What the operating system knows of processes: sessions, working folders, orphans.

Linux answers through /proc and prctl(2). Elsewhere these say less (an empty list, a process group in place of
a session), and the watching of the supervisor's pipe by `warden` does what remains.
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


def die_with_parent(death_signal: int) -> Callable[[], None]:
    """For Popen's preexec_fn: the child gets this signal when its parent ends, however that ends."""
    if sys.platform != "linux":
        return lambda: None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def arrange() -> None:
        prctl(_PR_SET_PDEATHSIG, death_signal)
        if os.getppid() != parent:  # it ended before we asked
            os.kill(os.getpid(), signal.SIGKILL)

    return arrange


def adopt_orphans(*, adopt: bool = True) -> None:
    """Make this process the parent of its descendants' orphans, so that it can reap them, or no longer."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(adopt))


def reap_strangers(known: Collection[int]) -> None:
    """Collect the ended children that are none of the known ones: adopted orphans."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in known:
                return  # its own waiter collects it
            os.waitpid(ended.si_pid, 0)


def in_session(session: int) -> list[int]:
    """The live processes of a session (without zombies); its leader's id is the session's."""
    if not PROC.exists():
        return [-session] if _group_lives(session) else []
    return [pid for pid, fields in _table() if fields[3] == str(session) and fields[0] != "Z"]


def working_in(folder: Path) -> list[int]:
    """The live processes whose working directory is this folder."""
    target, found = str(folder.resolve()), []
    for pid, fields in _table():
        with contextlib.suppress(OSError):
            if fields[0] != "Z" and os.readlink(PROC / str(pid) / "cwd") == target:  # noqa: PTH115 - as text
                found.append(pid)
    return found


def send(pids: Iterable[int], number: int) -> None:
    """Send a signal to each process that is still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def wait_until(condition: Callable[[], bool], seconds: float, *, pause: float = 0.05) -> bool:
    """Whether the condition came true within this many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
    return True


def _table() -> list[tuple[int, list[str]]]:
    """Of each process: its id, and state, parent, group and session as /proc/PID/stat tells them."""
    rows: list[tuple[int, list[str]]] = []
    for entry in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The command's name stands in parentheses and may hold anything, even parentheses.
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
            rows.append((int(entry.parent.name), fields[:4]))
    return rows


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True
