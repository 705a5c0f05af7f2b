"""Identify processes, workers and running jobs, and end a process together with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import uuid
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final

from memsite.values import parse_id

WORKER_VARIABLE: Final = "MEMSITE_WORKER_ID"

#: The claim of the running job; None outside of jobs.
current_claim: Final[ContextVar[uuid.UUID | None]] = ContextVar("memsite_job_claim", default=None)

#: Added to the priority number of a worker's processes; 0 is that of others, 19 the lowest.
NICENESS: Final = 5

_AUTOGROUP: Final = Path("/proc/self/autogroup")
_PR_SET_PDEATHSIG: Final = 1
_STATE, _START_TICKS = 0, 19  # fields of /proc/…/stat, counted from after the command's name
_DEAD_STATES: Final = frozenset("ZXx")


def let_others_go_first() -> None:
    """Lower the priority of this process and its later children, so that requests need not wait for jobs.

    Linux may share the processors among sessions first and among their processes then: both are lowered.
    """
    with suppress(OSError):  # where this is not allowed, jobs run at the priority of everything else
        os.nice(NICENESS)
        _AUTOGROUP.write_text(f"{NICENESS}", encoding="ascii")


def worker() -> uuid.UUID | None:
    """Return the id of the `manage.py work` that started this process; None in any other process."""
    return parse_id(os.environ.get(WORKER_VARIABLE, ""))


@cache
def get_host_id() -> str:
    """Return a name for the set of processes that share process ids: this boot and this pid namespace.

    Without /proc it is the host's name.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116 - Path.stat reads no better
    except OSError:
        return socket.gethostname()[:100]
    return f"{boot}/{namespace}"


def get_start_time(process: int) -> int | None:
    """Return when a process of this host started.

    The pair (process id, start) identifies a process even after its id is reused.

    Returns:
        Clock ticks since boot; None if the process is dead or a zombie. Without /proc, 0.
    """
    if not Path("/proc/self/stat").exists():
        return 0 if _answers(process) else None
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[_STATE] in _DEAD_STATES else int(fields[_START_TICKS])


def is_alive(process: int, start: int) -> bool:
    """Return whether the process that started at `start` still runs on this host."""
    return get_start_time(process) == start


def die_with_parent(parent: int) -> None:
    """Let the kernel kill this process when its parent ends; exit at once if the parent is gone already.

    Works on Linux only; elsewhere it does nothing.

    Args:
        parent: Id of the process that started this one.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _answers(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
