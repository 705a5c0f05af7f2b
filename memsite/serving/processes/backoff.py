"""Compute how long to wait before a program that ended is started again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Backoff:
    """Waits double from `first` to `most` seconds; after a run of `steady` seconds they start at `first`
    again.
    """

    first: float = 0.2
    most: float = 10.0
    steady: float = 30.0
    _failures: int = 0

    def next_wait(self, ran: float) -> float:
        """Return the seconds to wait after a run of this many seconds."""
        if ran >= self.steady:
            self._failures = 0
        wait = min(self.first * 2.0**self._failures, self.most)
        self._failures = min(self._failures + 1, 30)
        return wait
