"""An inverted list in two flat arrays: which rows hold a key, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ROW_BITS = np.uint64(32)
_ROW_MASK = np.uint64(0xFFFFFFFF)
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Postings:
    """(key, row) pairs in order, each once, with its count.

    pairs: uint64, key in the upper and row in the lower half, increasing.
    counts: uint16, how often the row holds the key (65,535 at most).
    keys: the distinct keys, increasing; starts: where each begins in `pairs`, and the end.
    """

    pairs: NDArray[np.uint64]
    counts: NDArray[np.uint16]
    keys: NDArray[np.uint32]
    starts: NDArray[np.int64]

    @classmethod
    def build(cls, values: NDArray[np.unsignedinteger], rows: Rows) -> Postings:
        """From one entry per occurrence: key values and the rows they stand in, in any order."""
        pairs = (values.astype(np.uint64) << _ROW_BITS) | rows.astype(np.uint64)
        pairs.sort()
        first = _changes(pairs)
        counts = np.diff(np.append(first, pairs.size)).clip(max=65535).astype(np.uint16)
        return cls._of(pairs[first], counts)

    @classmethod
    def _of(cls, pairs: NDArray[np.uint64], counts: NDArray[np.uint16]) -> Postings:
        keys = (pairs >> _ROW_BITS).astype(np.uint32)
        first = _changes(keys)
        return cls(pairs, counts, keys[first], np.append(first, pairs.size))

    def merged(self, other: Postings) -> Postings:
        """Both together; a pair may be in one of them only."""
        if not other.pairs.size:
            return self
        at = np.searchsorted(self.pairs, other.pairs)
        return self._of(np.insert(self.pairs, at, other.pairs), np.insert(self.counts, at, other.counts))

    def find(self, keys: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Place of each key in `keys`, −1 for those absent."""
        if not self.keys.size:
            return np.full(keys.size, -1, dtype=np.int64)
        place = np.searchsorted(self.keys, keys).clip(max=self.keys.size - 1)
        return np.where(self.keys[place] == keys, place, -1)

    def rows(self, place: int) -> tuple[Rows, NDArray[np.uint16]]:
        """Rows that hold the key at this place, increasing, and its count in each."""
        start, end = self.starts[place], self.starts[place + 1]
        return (self.pairs[start:end] & _ROW_MASK).astype(np.int64), self.counts[start:end]

    def slice_of(self, place: int) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
        """Pairs of the key at this place, and its count in each."""
        start, end = self.starts[place], self.starts[place + 1]
        return self.pairs[start:end], self.counts[start:end]

    def rows_at(self, at: Rows | slice) -> Rows:
        """The rows of these pairs."""
        return (self.pairs[at] & _ROW_MASK).astype(np.int64)

    def all_rows(self) -> Rows:
        """The row of every pair, key by key."""
        return self.rows_at(slice(None))

    def row_counts(self) -> NDArray[np.int64]:
        """For each distinct key: how many rows hold it."""
        return np.diff(self.starts)

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self.pairs.nbytes + self.counts.nbytes + self.keys.nbytes + self.starts.nbytes


def unpack_rows(
    blobs: Sequence[bytes], dtype: str, first_row: int = 0
) -> tuple[NDArray[np.unsignedinteger], Rows, NDArray[np.int64]]:
    """Packed bytes of many rows at once → values, the row of each, and how many each row has."""
    values = np.frombuffer(b"".join(blobs), dtype=dtype)
    lengths = np.fromiter(map(len, blobs), dtype=np.int64, count=len(blobs)) // np.dtype(dtype).itemsize
    rows = np.repeat(np.arange(first_row, first_row + len(blobs), dtype=np.int64), lengths)
    return values, rows, lengths


def gather(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices of many slices [start, start + length) one after the other."""
    total = int(lengths.sum())
    if not total:
        return np.empty(0, dtype=np.int64)
    offsets = np.repeat(starts - np.append(0, np.cumsum(lengths)[:-1]), lengths)
    return offsets + np.arange(total, dtype=np.int64)


def _changes(values: NDArray[np.unsignedinteger]) -> NDArray[np.int64]:
    """Where a sorted array takes a new value."""
    if not values.size:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(np.append(True, values[1:] != values[:-1]))
