"""Estimate from the sentence vector of an input alone whether it needs memory at all.

`bench.needs` fits both measures, and writes them to `need.npz`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]

NEED_FILE: Final = Path(__file__).with_name("need.npz")


class _Fitted(NamedTuple):
    """The fitted values of the estimate.

    Attributes:
        weights: (d,) Weights of the logit.
        bias: Bias of the logit.
        typical: (d,) Mean vector of everyday sentences.
    """

    weights: Float32
    bias: float
    typical: Float32


def estimate_need(vector: Float32) -> float:
    """Return the logit that an input asks about the person's own life or wants something made to suit it.

    General knowledge, arithmetic, code, translation, writing to order and small talk are below 0. Half of
    the examples that the fit saw are on each side.

    Args:
        vector: (d,) Sentence vector of the input.
    """
    fitted = _load()
    return float(fitted.weights @ vector) + fitted.bias


def expect_cosine(vector: Float32) -> float:
    """Return the cosine that a query probably has with an everyday sentence that does not answer it.

    Some queries are near to everything. With few memories, their mean cosine does not show that.
    """
    return float(_load().typical @ vector)


@lru_cache(maxsize=1)
def _load() -> _Fitted:
    with np.load(NEED_FILE) as stored:
        return _Fitted(stored["weights"], float(stored["bias"]), stored["typical"])
