"""What reorders near-equal memories: recency, frequency, layer, importance and confidence."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories import conf
from memories.retrieval.index import OwnerIndex
from memories.values import LAYERS, Layer

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]

_DAY: Final = 86400.0  # seconds


def compute_recency(index: OwnerIndex, rows: Rows, now: float) -> Float32:
    """Return exp(−rate · days since last use), in (0, 1].

    A last use in the future gives 1, an unknown one 0.
    """
    days = np.maximum(now - index.number("last_used_at")[rows], 0) / _DAY
    fresh = np.exp(-conf.RECALL.recency_rate * days)
    return np.where(np.isnan(fresh), 0, fresh).astype(np.float32)


def compute_frequency(index: OwnerIndex, rows: Rows) -> Float32:
    """Return 1 + rate · ln(1 + accesses), at least 1."""
    accesses = np.maximum(index.number("access_count")[rows], 0)
    return (1 + conf.RECALL.frequency_rate * np.log1p(accesses)).astype(np.float32)


def compute_prior(index: OwnerIndex, rows: Rows, now: float) -> Float32:
    """Return the value added to relevance, in [0, Σ PRIOR_SHARES].

    Frequency enters as 1 − 1/frequency and the layer as its share of the highest layer prior, so that each
    part is in [0, 1] before it is multiplied by its share.
    """
    layers = np.array([_get_layer_prior(layer) for layer in LAYERS], dtype=np.float32)
    shares = conf.PRIOR_SHARES
    return np.asarray(
        shares["recency"] * compute_recency(index, rows, now)
        + shares["frequency"] * (1 - 1 / compute_frequency(index, rows))
        + shares["layer"] * (layers / max(layers.max(), 1e-9))[index.column("layer")[rows].astype(np.int64)]
        + shares["importance"] * index.number("importance")[rows].clip(0, 1)
        + shares["confidence"] * index.number("confidence")[rows].clip(0, 1),
        dtype=np.float32,
    )


def _get_layer_prior(layer: Layer) -> float:
    priors = {
        Layer.EPISODIC: conf.RECALL.episodic_prior,
        Layer.SEMANTIC: conf.RECALL.semantic_prior,
        Layer.PROCEDURAL: conf.RECALL.procedural_prior,
    }
    return priors[layer]
