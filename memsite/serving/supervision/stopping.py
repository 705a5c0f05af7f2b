"""The wish to stop, told by a signal."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopAsked(BaseException):
    """Raised where we are when a signal asks to stop; not for `except Exception`."""


class Stopping:
    """Whether a signal has asked us to stop, and whether it may interrupt what we are doing."""

    def __init__(self) -> None:
        self.asked = False
        self._interrupts = False

    def handle(self, _number: int, _frame: FrameType | None) -> None:
        """The signal handler."""
        self.asked = True
        if self._interrupts:
            self._interrupts = False
            raise StopAsked

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Inside, a signal raises StopAsked at once. Raises it on entry if one came before."""
        if self.asked:
            raise StopAsked
        self._interrupts = True
        try:
            yield
        finally:
            self._interrupts = False


@contextmanager
def listening_for_stop() -> Iterator[Stopping]:
    """Inside, SIGTERM, SIGINT and a hang-up (unless `nohup` has it ignored) are the wish to stop."""
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
