"""Train networks with one hidden layer by Adam, with numpy alone. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.estimates import Network, Projection

Float32 = NDArray[np.float32]

_FIRST: Final = 0.9  # decay of the mean of the slopes
_SECOND: Final = 0.999  # decay of the mean of their squares
_TINY: Final = 1e-8
#: Parts of a network that decay: the weights of the hidden units, and the linear ones.
_DECAYING: Final = frozenset({0, 3})


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a network is trained.

    Attributes:
        units: Hidden units.
        epochs: Passes over the examples.
        rate: First learning rate; it falls to 0.
        decay: Share of each weight that is subtracted in each step, at the first rate.
        dropped: Share of the hidden units, and half of it of the features, that each step leaves out.
        batch: Examples of a step.
    """

    units: int = 64
    epochs: int = 12
    rate: float = 2e-3
    decay: float = 2e-5
    dropped: float = 0.2
    batch: int = 512


def train_network(
    features: Float32, labels: Float32, weights: Float32, schedule: Schedule, *, seed: int = 0
) -> Network:
    """Return the network that fits labels best: the least weighted cross-entropy.

    Args:
        features: (n, f).
        labels: (n,) 0 or 1.
        weights: (n,) How much each example counts.
        schedule: How to train.
        seed: Of the first weights and of the order.
    """
    chance = np.random.default_rng(seed)
    count, width = features.shape
    shape = (width, schedule.units)
    share = float(labels.mean())
    parts = [
        chance.normal(0, width**-0.5, shape), np.zeros(schedule.units),
        chance.normal(0, schedule.units**-0.5, schedule.units), np.zeros(width),
        np.array([np.log(share / (1 - share))]),
    ]  # fmt: skip
    values = [part.astype(np.float32) for part in parts]
    first, second = ([np.zeros_like(one) for one in values] for _ in range(2))
    steps = schedule.epochs * (count // schedule.batch)
    step = 0
    for _ in range(schedule.epochs):
        order = chance.permutation(count)
        for start in range(0, count - schedule.batch + 1, schedule.batch):
            chosen = order[start : start + schedule.batch]
            slopes = _compute_slopes(
                values, features[chosen], labels[chosen], weights[chosen], schedule.dropped, chance
            )
            step += 1
            rate = schedule.rate * (1 - step / (steps + 1))
            for at, slope in enumerate(slopes):
                first[at] = _FIRST * first[at] + (1 - _FIRST) * slope
                second[at] = _SECOND * second[at] + (1 - _SECOND) * slope * slope
                move = (first[at] / (1 - _FIRST**step)) / (np.sqrt(second[at] / (1 - _SECOND**step)) + _TINY)
                kept = 1 - schedule.decay * rate / schedule.rate if at in _DECAYING else 1.0
                values[at] = (values[at] * np.float32(kept) - np.float32(rate) * move).astype(np.float32)
    return Network(*values)


def _compute_slopes(
    values: list[Float32],
    features: Float32,
    labels: Float32,
    weights: Float32,
    dropped: float,
    chance: np.random.Generator,
) -> list[Float32]:
    """Return the slopes of the loss of a batch by each part of a network."""
    hidden, offset, output, linear, bias = values
    inputs = features * (chance.random(features.shape, dtype=np.float32) >= dropped / 2)
    before = inputs @ hidden + offset
    kept = (chance.random(before.shape, dtype=np.float32) >= dropped) / np.float32(1 - dropped)
    units = np.maximum(before, 0) * kept
    logits = units @ output + inputs @ linear + bias[0]
    error = ((1 / (1 + np.exp(-np.clip(logits, -30, 30))) - labels) * weights / len(labels)).astype(
        np.float32
    )
    back = np.outer(error, output) * kept * (before > 0)
    return [inputs.T @ back, back.sum(axis=0), units.T @ error, inputs.T @ error, error.sum(keepdims=True)]


def find_projection(vectors: Float32, axes: int) -> Projection:
    """Return the mean of vectors (n, d) and the directions in which they differ most (principal axes)."""
    mean = vectors.mean(axis=0)
    centred = vectors - mean
    _, directions = np.linalg.eigh(centred.T @ centred / len(vectors))
    return Projection(mean, np.ascontiguousarray(directions[:, ::-1][:, :axes].T))
