"""A network with one hidden layer beside a linear part, as the estimates use it. `training` fits it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


class Network(NamedTuple):
    """logit = relu(x · hidden + offset) · output + x · linear + bias, for f features and h units.

    Attributes:
        hidden: (f, h) Weights of the hidden units.
        offset: (h,) Their biases.
        output: (h,) Weights of their values.
        linear: (f,) Weights of the features.
        bias: (1,) Bias of the logit.
    """

    hidden: Floats
    offset: Floats
    output: Floats
    linear: Floats
    bias: Floats

    def compute_logits(self, features: Floats) -> Floats:
        """Return the logits (n,) of features (n, f)."""
        units = np.maximum(features @ self.hidden + self.offset, 0)
        logits: Floats = units @ self.output + features @ self.linear + self.bias[0]
        return logits

    @classmethod
    def of(cls, stored: Mapping[str, Floats], name: str) -> Network:
        """Return the network that is stored under a name."""
        return cls(*(stored[f"{name}_{part}"] for part in cls._fields))

    def as_arrays(self, name: str) -> dict[str, Floats]:
        """Return the arrays to store, by name."""
        return {f"{name}_{part}": values for part, values in self._asdict().items()}


class Projection(NamedTuple):
    """The axes on which vectors of d dimensions are compared.

    Attributes:
        mean: (d,) Mean of the vectors.
        axes: (k, d) Directions.
    """

    mean: Floats
    axes: Floats

    def apply(self, vectors: Floats) -> Floats:
        """Return vectors (n, d) on the axes: (n, k), of a standard deviation near 1."""
        return _SPREAD * ((vectors - self.mean) @ self.axes.T)

    @classmethod
    def of(cls, stored: Mapping[str, Floats], name: str) -> Projection:
        """Return the projection that is stored under a name."""
        return cls(stored[f"{name}_mean"], stored[f"{name}_axes"])

    def as_arrays(self, name: str) -> dict[str, Floats]:
        """Return the arrays to store, by name."""
        return {f"{name}_mean": self.mean, f"{name}_axes": self.axes}


#: Of a unit vector on one of the axes, the inverse of the usual deviation.
_SPREAD = 5.0


def join_features(first: Floats, second: Floats, *more: Floats) -> Floats:
    """Return the features of two projected vectors (n, k): both, product, distance; and further columns."""
    columns = np.stack(more, axis=1) if more else np.zeros((len(first), 0))
    return np.hstack([columns, first, second, 2.4 * first * second, np.abs(first - second)])
