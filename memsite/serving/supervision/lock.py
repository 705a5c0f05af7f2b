"""One running site for one data directory."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class AlreadyRunning(Exception):
    """Another process holds the lock. pid: its id, or None if it has not said yet."""

    def __init__(self, path: Path, pid: int | None) -> None:
        who = f" (process {pid})" if pid else ""
        super().__init__(f"Memsite is already running with the data directory {path.parent}{who}")
        self.pid = pid


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock of this file while inside. Raises AlreadyRunning.

    The system gives the lock up with the process that holds it, however that ends: a file left behind is no
    obstacle. The file is never removed, or two processes could each lock one of the same name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(path, _holder(descriptor)) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _holder(descriptor: int) -> int | None:
    content = os.pread(descriptor, 32, 0).strip()
    return int(content) if content.isdigit() else None
