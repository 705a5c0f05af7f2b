"""Kill a process before any statement of its work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from itertools import count
from typing import Any

from django.db import connection, connections

_MOST_SECONDS = 60


def is_killed_at(statement: int, work: Callable[[], object]) -> bool:
    """Work in a forked process that kills itself before its n-th statement. Return whether it had so many."""
    connections.close_all()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)
    numbers = count(1)

    def wrapper(execute: Callable[..., Any], *args: Any) -> Any:
        if next(numbers) == statement:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*args)

    try:
        signal.alarm(_MOST_SECONDS)
        with connection.execute_wrapper(wrapper):
            work()
    finally:
        os._exit(0)
