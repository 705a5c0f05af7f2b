"""Time calls, and compute percentiles of the times."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long one call takes, in milliseconds."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def p50(times: Sequence[float]) -> float:
    """Return the median."""
    return float(np.percentile(times, 50))


def p95(times: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return float(np.percentile(times, 95))
