"""Turn stop signals into a flag or an exception."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopRequested(BaseException):
    """A stop signal arrived inside `interrupting`. Not caught by `except Exception`."""


class Stopping:
    """Whether a stop signal has arrived, and whether it may interrupt the current work."""

    def __init__(self) -> None:
        self.requested = False
        self._interrupts = False

    def handle(self, _number: int, _frame: FrameType | None) -> None:
        """Handle a stop signal."""
        self.requested = True
        if self._interrupts:
            self._interrupts = False
            raise StopRequested

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Raise StopRequested when a stop signal arrives in the block, or on entry if one arrived before."""
        if self.requested:
            raise StopRequested
        self._interrupts = True
        try:
            yield
        finally:
            self._interrupts = False


@contextmanager
def catch_stop_signals() -> Iterator[Stopping]:
    """Inside the block, treat SIGTERM, SIGINT and SIGHUP (unless `nohup` ignores it) as stop signals."""
    stopping = Stopping()
    numbers = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, stopping.handle) for number in numbers}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
