"""Find pairs of similar vectors by block-wise products, within bounds. Plain numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: The most products of two vectors that one report may take: about 15 s of one processor at 256 dimensions,
#: and all pairs of 63,000 vectors.
MOST_PRODUCTS: Final = 2_000_000_000
#: The most pairs returned, the most similar ones.
MOST_PAIRS: Final = 5_000
_ROWS: Final = 512
_COLUMNS: Final = 8_192


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of rows, first < second.

    Attributes:
        strength: Shape (k,); the measure by which they were chosen, strongest first.
        complete: Whether nothing was left out because of the limits.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    strength: NDArray[np.float64]
    complete: bool

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.first.tolist(), self.second.tolist(), strict=True)

    def __len__(self) -> int:
        return len(self.first)


def find_similar_pairs(
    vectors: NDArray[np.float16],
    groups: Sequence[str],
    *,
    least: float,
    most_products: int = MOST_PRODUCTS,
    most_pairs: int = MOST_PAIRS,
) -> Pairs:
    """Return pairs of rows of one group whose dot product is at least `least`, most similar first.

    If there are too many products, rows in front are compared before rows behind. Equal pairs keep the order
    of their rows.

    Args:
        vectors: Shape (n, d); unit rows, or zero rows for memories without a vector.
        groups: n names.
        least: The least dot product.
        most_products: The most products to compute.
        most_pairs: The most pairs to return.
    """
    found = _Found(most_pairs)
    left = most_products
    for name in dict.fromkeys(groups):
        rows = np.array([row for row, group in enumerate(groups) if group == name], dtype=np.int64)
        left = _find_in_group(vectors, rows, least, left, found)
    return found.pairs(complete=left >= 0 and not found.dropped)


def _find_in_group(
    vectors: NDArray[np.float16], rows: NDArray[np.int64], least: float, left: int, found: _Found
) -> int:
    """Return the number of products that are left; negative if they did not suffice."""
    for start in range(0, len(rows) - 1, _ROWS):
        block = rows[start : start + _ROWS]
        left -= len(block) * (len(rows) - start)
        if left < 0:
            return left
        block_vectors = vectors[block].astype(np.float32)
        for at in range(start, len(rows), _COLUMNS):
            there = rows[at : at + _COLUMNS]
            cosines = block_vectors @ vectors[there].astype(np.float32).T
            a, b = np.nonzero(cosines >= least)
            later = there[b] > block[a]
            a, b = a[later], b[later]
            found.add(block[a], there[b], cosines[a, b])
    return left


class _Found:
    """The strongest pairs found so far."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._first = np.zeros(0, dtype=np.int64)
        self._second = np.zeros(0, dtype=np.int64)
        self._strength = np.zeros(0, dtype=np.float64)
        self.dropped = False

    def add(self, first: NDArray[np.int64], second: NDArray[np.int64], strength: NDArray[np.float32]) -> None:
        """Add pairs, and drop the weakest ones above the limit."""
        self._first = np.concatenate([self._first, first])
        self._second = np.concatenate([self._second, second])
        self._strength = np.concatenate([self._strength, strength.astype(np.float64)])
        if len(self._first) > self._most:
            self.dropped = True
            self._keep(self._most)

    def _keep(self, most: int) -> None:
        order = np.lexsort((self._second, self._first, -self._strength))[:most]
        self._first, self._second = self._first[order], self._second[order]
        self._strength = self._strength[order]

    def pairs(self, *, complete: bool) -> Pairs:
        """Return the pairs found, strongest first."""
        self._keep(self._most)
        return Pairs(self._first, self._second, self._strength, complete)
