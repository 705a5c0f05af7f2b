"""The keyword arm: BM25 over a memory and, in conversation, the turns around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import (
    AROUND,
    Growing,
    Postings,
    Turns,
    kernel_arrays,
    kernels,
    summed_around,
)

Float32 = NDArray[np.float32]

K1 = 0.9
B = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class TermField:
    """An owner's memories as terms.

    _own: (n,) how many terms each row has; context: (n,) the same with those of the turns around, by weight.
    """

    postings: Postings
    _own: Growing
    context: Float32
    turns: Turns

    @classmethod
    def build(cls, postings: Postings, own: Float32, turns: Turns) -> TermField:
        """own: (n,) terms of each row."""
        return cls(postings, Growing.of(own), summed_around(own, turns, AROUND), turns)

    def extended(self, postings: Postings, own: Float32, turns: Turns) -> TermField:
        """With the postings and the terms of further rows; turns: of all rows."""
        grown = self._own.grown(own)
        return TermField(
            self.postings.extended(postings), grown, summed_around(grown.values, turns, AROUND), turns
        )

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self._own.values)

    def rarest(self) -> Float32:
        """(n,) highest idf among the row's own terms."""
        counts = self.postings.row_counts()
        weight = np.log1p((self.size - counts + 0.5) / (counts + 0.5)).astype(np.float32)
        highest = np.zeros(self.size, dtype=np.float32)
        kernels.raise_to(weight, self.postings.holders, self.postings.begins, self.postings.ends, highest)
        return highest

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes, `turns` aside."""
        return self.postings.nbytes + self._own.nbytes + self.context.nbytes


@dataclass(frozen=True, slots=True)
class Match:
    """Words found. context: (n,) BM25 of the row and the turns around it.

    covered: (n,) Σ idf of the query's terms that the row itself holds; wanted: Σ idf of all of them.
    """

    context: Float32
    covered: Float32
    wanted: float


def match(field: TermField, terms: NDArray[np.uint32], shares: Sequence[float]) -> Match:
    """BM25 (Robertson and Zaragoza 2009) of distinct terms over all rows; a term no row holds scores 0.

    shares: weight of each term; 1, or less for a guess at what was meant.
    """
    rows, turns = field.size, field.turns
    context, covered, count = np.zeros((3, rows), dtype=np.float32)
    touched = np.empty(rows, dtype=np.int64)
    norm = _length_norm(field.context)
    around = kernel_arrays(AROUND)
    wanted = 0.0
    for place, share in zip(field.postings.find(terms), shares, strict=True):
        if place < 0:
            wanted += share * idf(field.size, 0)
            continue
        holders, counts = field.postings.slice_of(int(place))
        weight = share * idf(field.size, holders.size)
        wanted += weight
        kernels.add_term(
            weight, weight * (K1 + 1), holders, counts, turns.order, turns.session, turns.place, *around,
            norm, count, touched, covered, context,
        )  # fmt: skip
    return Match(context, covered, wanted)


def idf(rows: int, holders: int) -> float:
    """ln(1 + (N − n + ½) / (n + ½)): at least 0, highest for a term no row holds."""
    return float(np.log1p((max(rows, holders) - holders + 0.5) / (holders + 0.5)))


def _length_norm(lengths: Float32) -> Float32:
    mean = max(float(lengths.mean(dtype=np.float64)), 1e-6) if lengths.size else 1.0
    return (K1 * (1 - B) + (K1 * B / mean) * lengths).astype(np.float32)
