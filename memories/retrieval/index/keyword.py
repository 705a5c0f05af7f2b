"""The keyword signal: BM25 over a memory and, in a conversation, the neighbouring turns."""

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
    sum_around_turns,
)

Float32 = NDArray[np.float32]

K1 = 0.9
B = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class TermField:
    """The terms of an owner's memories.

    Attributes:
        _own: (n,) Number of terms in each row.
        context: (n,) The same, plus the weighted number of terms in neighbouring turns.
    """

    postings: Postings
    _own: Growing
    context: Float32
    turns: Turns

    @classmethod
    def build(cls, postings: Postings, own: Float32, turns: Turns) -> TermField:
        """Build the field. `own`: (n,) number of terms in each row."""
        return cls(postings, Growing.of(own), sum_around_turns(own, turns, AROUND), turns)

    def extended(self, postings: Postings, own: Float32, turns: Turns) -> TermField:
        """Return the field with further rows added. `turns` covers all rows."""
        grown = self._own.grown(own)
        return TermField(
            self.postings.extended(postings), grown, sum_around_turns(grown.values, turns, AROUND), turns
        )

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self._own.values)

    def rarest(self) -> Float32:
        """Return (n,) the highest idf among the terms of each row."""
        counts = self.postings.row_counts()
        weight = np.log1p((self.size - counts + 0.5) / (counts + 0.5)).astype(np.float32)
        highest = np.zeros(self.size, dtype=np.float32)
        kernels.raise_to(weight, self.postings.holders, self.postings.begins, self.postings.ends, highest)
        return highest

    @property
    def nbytes(self) -> int:
        """Memory use in bytes, without `turns`."""
        return self.postings.nbytes + self._own.nbytes + self.context.nbytes


@dataclass(frozen=True, slots=True)
class Match:
    """Keyword matches of one query.

    Attributes:
        context: (n,) BM25 of the row and its neighbouring turns.
        covered: (n,) Σ worth · idf of the query's terms that the row itself holds.
        wanted: Σ worth · idf of all terms of the query.
    """

    context: Float32
    covered: Float32
    wanted: float


def match(
    field: TermField, terms: NDArray[np.uint32], shares: Sequence[float], worth: NDArray[np.float32]
) -> Match:
    """Compute BM25 (Robertson and Zaragoza 2009) of distinct terms over all rows.

    Args:
        field: Terms of the owner's memories.
        terms: Hashes of distinct terms. A term that no row holds scores 0.
        shares: Weight of each term: 1, or less for a guessed spelling.
        worth: Further weight of each term in `covered` and `wanted`.
    """
    rows, turns = field.size, field.turns
    context, covered, count = np.zeros((3, rows), dtype=np.float32)
    touched = np.empty(rows, dtype=np.int64)
    norm = _length_norm(field.context)
    around = kernel_arrays(AROUND)
    wanted = 0.0
    for place, share, value in zip(field.postings.find(terms), shares, worth.tolist(), strict=True):
        if place < 0:
            wanted += share * value * idf(field.size, 0)
            continue
        holders, counts = field.postings.slice_of(int(place))
        weight = share * idf(field.size, holders.size)
        wanted += weight * value
        kernels.add_term(
            weight * value, weight * (K1 + 1), holders, counts, turns.order, turns.session, turns.place,
            *around, norm, count, touched, covered, context,
        )  # fmt: skip
    return Match(context, covered, wanted)


def idf(rows: int, holders: int) -> float:
    """Return ln(1 + (N − n + ½) / (n + ½)), at least 0 and highest for a term that no row holds."""
    return float(np.log1p((max(rows, holders) - holders + 0.5) / (holders + 0.5)))


def _length_norm(lengths: Float32) -> Float32:
    mean = max(float(lengths.mean(dtype=np.float64)), 1e-6) if lengths.size else 1.0
    return (K1 * (1 - B) + (K1 * B / mean) * lengths).astype(np.float32)
