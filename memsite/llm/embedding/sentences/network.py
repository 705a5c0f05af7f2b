"""The network of multilingual-e5-small (a BERT encoder of 12 layers), in products of signed bytes.

Weights and activations are quantised to bytes, each row with a scale of its own. NumKong multiplies them with
the best instructions that the processor has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numkong
import numpy as np
from numpy.typing import NDArray

from memsite.llm.embedding.sentences.loops import (
    add_and_normalise,
    apply_gelu,
    attend,
    quantise_rows,
    scale_sums,
)
from memsite.llm.embedding.sentences.weights import Weights, unpack_blocks

Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]

_SMALLEST: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class _Linear:
    """A linear map x ↦ x · weightsᵀ + bias. `packed` holds the weights as NumKong wants them."""

    packed: Any
    scales: Float32
    bias: Float32

    @classmethod
    def of(cls, weights: Float32, bias: Float32) -> _Linear:
        quantised = np.empty(weights.shape, dtype=np.int8)
        scales = np.empty(len(weights), dtype=np.float32)
        quantise_rows(weights, quantised, scales)
        return cls(numkong.dots_pack(quantised, dtype="int8"), scales, np.ascontiguousarray(bias))

    def __call__(self, values: Float32) -> Float32:
        quantised, scales = np.empty(values.shape, dtype=np.int8), np.empty(len(values), dtype=np.float32)
        quantise_rows(values, quantised, scales)
        sums = np.asarray(numkong.dots_packed(quantised, self.packed))
        out = np.empty(sums.shape, dtype=np.float32)
        scale_sums(sums, scales, self.scales, self.bias, out)
        return out


@dataclass(frozen=True, slots=True, eq=False)
class _Norm:
    """The layer norm of a sum."""

    gain: Float32
    shift: Float32
    epsilon: float

    def add(self, values: Float32, added: Float32) -> None:
        """Replace values by the norm of values + added."""
        add_and_normalise(values, added, self.gain, self.shift, self.epsilon)


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """One layer: attention among the tokens, then a map of each token, each added to what was there."""

    heads: int
    attended: _Linear  # queries, keys and values, one after the other
    mixed: _Linear
    mixed_norm: _Norm
    widened: _Linear
    narrowed: _Linear
    narrowed_norm: _Norm

    @classmethod
    def of(cls, weights: Weights, number: int) -> _Layer:
        shape, prefix = weights.shape, f"l{number}."

        def linear(columns: int, *names: str) -> _Linear:
            found = [weights.matrix(f"{prefix}{name}.w", columns) for name in names]
            bias = [weights.floats(f"{prefix}{name}.b") for name in names]
            return _Linear.of(np.concatenate(found), np.concatenate(bias))

        def norm(name: str) -> _Norm:
            gain, shift = (weights.floats(f"{prefix}{name}.{part}") for part in "wb")
            return _Norm(gain, shift, shape.epsilon)

        return cls(
            shape.heads,
            linear(shape.width, "q", "k", "v"), linear(shape.width, "ao"), norm("aln"),
            linear(shape.width, "fi"), linear(shape.inner_width, "fo"), norm("oln"),
        )  # fmt: skip

    def apply(self, values: Float32) -> None:
        """Replace (tokens, width) values."""
        self.mixed_norm.add(values, self.mixed(self._attend(values)))
        widened = self.widened(values)
        apply_gelu(widened)
        self.narrowed_norm.add(values, self.narrowed(widened))

    def _attend(self, values: Float32) -> Float32:
        mixed = np.empty(values.shape, dtype=np.float32)
        attend(self.attended(values), self.heads, mixed)
        return mixed


class Network:
    """Computes the vector of a sequence of tokens. It may be used from several threads at once."""

    def __init__(self, weights: Weights) -> None:
        shape = weights.shape
        self.most_tokens = shape.positions
        self._words = weights.blocks("emb.word", shape.width)
        placed = weights.floats("emb.pos").reshape(-1, shape.width)
        self._places: Float32 = placed + weights.floats("emb.type")[: shape.width]
        self._norm = _Norm(weights.floats("emb.ln.w"), weights.floats("emb.ln.b"), shape.epsilon)
        self._layers = [_Layer.of(weights, number) for number in range(shape.layers)]

    def embed(self, ids: Int32) -> Float32:
        """Return the unit vector (width,) of up to `most_tokens` tokens: the mean of the last layer."""
        values = unpack_blocks(self._words[ids])
        self._norm.add(values, self._places[: ids.size])
        for layer in self._layers:
            layer.apply(values)
        mean = values.mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), _SMALLEST), dtype=np.float32)
