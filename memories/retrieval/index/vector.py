"""The vector signals: similarity in meaning, from token vectors or from one vector per memory.

There are three measures. SIF is the cosine of idf-weighted mean token vectors (Arora, Liang and Ma, ICLR
2017, with idf as the frequency weight). It estimates the length of a memory's vector as if its tokens were
orthogonal, so that no vector per memory is stored. MAXS is Σ idf(t) · the maximum cosine of query token t
over the tokens of the memory and, weighted, of the neighbouring turns; cosines below 0.3 count as 0. Dense is
the plain cosine, for embedders without tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import AROUND, Turns, kernel_arrays, kernels
from memories.retrieval.index.tokens import TokenField

Float32 = NDArray[np.float32]
CLOSE_COSINE = 0.3  # cosine below which two tokens are unrelated


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """Token similarities of one query to all rows.

    Attributes:
        sif: (n,) SIF similarity.
        maxs: (n,) MAXS similarity, neighbouring turns included.
        toward: (distinct,) Dot product of each of the owner's tokens with the sum of the query's content
            tokens; 0 for function words.
        size: Length of that sum.
    """

    sif: Float32
    maxs: Float32
    toward: Float32
    size: float


def compute_nearness(field: TokenField, tokens: NDArray[np.uint32], turns: Turns) -> Nearness:
    """Compute SIF and MAXS of the query's tokens over all rows. Both are zero if there are no tokens."""
    if not tokens.size or not field.idf.size:
        sif, maxs = np.zeros((2, field.length.size), dtype=np.float32)
        return Nearness(sif, maxs, np.zeros_like(field.idf), 0.0)
    space = field.space
    distinct, times = np.unique(tokens, return_counts=True)
    weight = field.idf_of(distinct)
    vectors = space.vectors[distinct]
    dots = field.dots(distinct)
    sif = _sif(field, vectors, (weight * times).astype(np.float32), dots)
    occurrences = (times * ~space.empty[distinct]).astype(np.float32)
    maxs = _maxs(field, dots, np.where(occurrences > 0, weight, 0), space.norms[distinct], turns)
    toward = np.where(field.unit > 0, occurrences @ dots, np.float32(0))
    return Nearness(sif, maxs, toward, float(np.linalg.norm(occurrences @ vectors)))


def _sif(field: TokenField, vectors: Float32, weight: Float32, dots: Float32) -> Float32:
    total = max(float(weight.sum()), 1e-6)
    query = (weight @ vectors) / total - field.centre
    size = max(float(np.linalg.norm(query)), 1e-6)
    toward = (weight @ dots) / total - field.centre_dot
    toward -= float(field.centre @ query)
    toward = (field.idf * toward / size).astype(np.float32)
    sums = np.empty_like(field.length)
    kernels.slice_sums(toward, field.places, field.starts, sums)
    return np.divide(sums, field.length, out=np.zeros_like(sums), where=field.length > 0)


def _maxs(field: TokenField, dots: Float32, weight: Float32, norms: Float32, turns: Turns) -> Float32:
    total, own, best = np.zeros((3, field.length.size), dtype=np.float32)
    touched = np.empty(2 * field.length.size, dtype=np.int64)
    postings, around = field.postings, kernel_arrays(AROUND)
    for row in np.flatnonzero(weight):
        kernels.add_nearest(
            dots[row] / norms[row], field.unit, CLOSE_COSINE, float(weight[row]),
            postings.holders, postings.begins, postings.ends,
            turns.order, turns.session, turns.place, *around, own, best, touched, total,
        )  # fmt: skip
    return total


def compute_cosines(vectors: Float32, query: Float32) -> Float32:
    """Return the cosine of each unit row with a unit query; 0 for zero rows."""
    return vectors @ query


def compute_content_cosine(field: TokenField, nearness: Nearness, rows: NDArray[np.int64]) -> Float32:
    """Return the cosine between the summed content tokens of the query and of a few rows.

    Unlike SIF it does not depend on the other memories. The length of a row's sum is estimated as if its
    tokens were orthogonal. Rows or queries with function words only give 0.
    """
    toward, squares = np.empty((2, rows.size), dtype=np.float32)
    kernels.chosen_sums(nearness.toward, field.places, field.starts, rows, toward)
    kernels.chosen_sums(field.squares, field.places, field.starts, rows, squares)
    size = np.sqrt(squares) * np.float32(nearness.size)
    return np.divide(toward, size, out=np.zeros_like(toward), where=size > 0)
