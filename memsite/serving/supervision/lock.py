"""A lock that allows one running site per data directory."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class AlreadyRunning(Exception):
    """Another process holds the lock.

    Attributes:
        pid: Its id; None if it has not written it yet.
    """

    def __init__(self, path: Path, pid: int | None) -> None:
        who = f" (process {pid})" if pid else ""
        super().__init__(f"Memsite is already running with the data directory {path.parent}{who}")
        self.pid = pid


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold the lock of this file inside the block.

    The operating system releases the lock when the process that holds it ends, however it ends, so a
    remaining file does no harm. The file is never removed; otherwise two processes could lock two files of
    one name.

    Raises:
        AlreadyRunning: If another process holds the lock.
        OSError: If the file cannot be written.
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
