"""Time windows, and how close moments are to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

DAY: Final = 86400.0  # seconds
YEAR: Final = 365.25 * DAY


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A time window, in seconds since 1970.

    Attributes:
        start: Start of the window.
        end: End of the window, exclusive.
        tails: Decay before and after the window, in seconds: outside it, a moment scores weight ·
            exp(−distance / tail).
        weight: Score of a moment inside the window.
        yearly: Whether the window recurs every year, for a month named without its year.
    """

    start: float
    end: float
    tails: tuple[float, float]
    weight: float = 1.0
    yearly: bool = False

    def score(self, times: NDArray[np.float64]) -> NDArray[np.float32]:
        """Score (n,) moments, NaN for unknown. Return (n,) in [0, weight]; unknown moments score 0."""
        since = times - self.start
        width = self.end - self.start
        if self.yearly:
            since = np.mod(since, YEAR)
            late = np.maximum(since - width, 0)
            early = np.where(since > width, YEAR - since, 0)
            closeness = np.maximum(
                np.exp(-late / self.tails[1]), np.exp(-early / self.tails[0]) * (early > 0)
            )
        else:
            closeness = np.exp(
                -np.maximum(since - width, 0) / self.tails[1] - np.maximum(-since, 0) / self.tails[0]
            )
        scores: NDArray[np.float32] = np.nan_to_num(self.weight * closeness).astype(np.float32)
        return scores


def score_times(windows: Iterable[TimeWindow], times: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the best score of each moment over all windows, in [0, 1]; 0 without windows."""
    best = np.zeros(times.size, dtype=np.float32)
    for window in windows:
        np.maximum(best, window.score(times), out=best)
    return best
