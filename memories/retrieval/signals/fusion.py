"""Linear fusion of all signals. It is exact, because every signal is computed for every eligible memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import kernels

Float32 = NDArray[np.float32]
Mask = NDArray[np.bool_]


def standardise_values(values: Float32, eligible: Mask) -> Float32:
    """Return z-scores, (x − mean) / deviation over the eligible rows; all 0 if the values do not differ."""
    scores = np.empty(values.shape, dtype=np.float32)
    kernels.standardise(np.asarray(values, dtype=np.float32), eligible, scores)
    return scores


def fuse_signals(signals: Mapping[str, Float32], weights: Mapping[str, float], rows: int) -> Float32:
    """Return (rows,) Σ weight · signal over the signals with a weight. Missing signals count as 0."""
    total, product = np.zeros((2, rows), dtype=np.float32)
    for name, weight in weights.items():
        signal = signals.get(name)
        if signal is not None and weight:
            np.multiply(signal, np.float32(weight), out=product)
            total += product
    return total


def select_best(scores: Float32, eligible: Mask, count: int) -> NDArray[np.int64]:
    """Return the `count` best eligible rows and all ties with the last of them, in row order."""
    rows = np.flatnonzero(eligible)
    if count < rows.size:
        values = scores[rows]
        least = np.partition(values, rows.size - count)[rows.size - count]
        rows = rows[values >= least]
    return rows
