"""Timing calls, and reading the times."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np


def milliseconds(call: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def p50(times: Sequence[float]) -> float:
    """The median."""
    return float(np.percentile(times, 50))


def p95(times: Sequence[float]) -> float:
    """What 95 % of the times stay under."""
    return float(np.percentile(times, 95))
