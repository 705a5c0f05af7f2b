"""An inverted index: which rows hold a key, and how often. Adding rows costs as much as the rows added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

_ROW_BITS = np.uint64(32)
_ROW_MASK = np.uint64(0xFFFFFFFF)
_MOST_COUNT: Final = 65535
_SPARE_SHARE: Final = 8  # a key gets spare capacity for one row per this many rows that hold it
_LEAST_TAIL: Final = 64  # entries
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The rows that hold each distinct key. The *place* of a key is its number, which never changes.

    Attributes:
        keys: (k,) The key at each place.
        begins: (k,) Start of each key's entries in `holders` and `counts`.
        ends: (k,) End of each key's entries.
        limits: (k,) End of each key's spare capacity.
        holders: Rows, in the order in which they were added.
        counts: How often each of these rows holds the key, at most 65,535.
        used: Number of entries of `holders` that are assigned to keys. Versions share `holders` and `counts`:
            a later version writes only where no earlier one reads.
        in_order: The keys, sorted.
        places: Place of each key of `in_order`.
    """

    keys: NDArray[np.uint32]
    begins: Rows
    ends: Rows
    limits: Rows
    holders: NDArray[np.uint32]
    counts: NDArray[np.uint16]
    used: int
    in_order: NDArray[np.uint32]
    places: Rows

    @classmethod
    def build(cls, values: NDArray[np.unsignedinteger], rows: Rows) -> Postings:
        """Build postings from one entry per occurrence.

        Args:
            values: Keys, in any order.
            rows: Row in which each key occurs.
        """
        pairs = (values.astype(np.uint64) << _ROW_BITS) | rows.astype(np.uint64)
        pairs.sort()
        first = _changes(pairs)
        times = np.diff(np.append(first, pairs.size)).clip(max=_MOST_COUNT).astype(np.uint16)
        pairs = pairs[first]
        found = (pairs >> _ROW_BITS).astype(np.uint32)
        first = _changes(found)
        return _laid_out(
            found[first],
            first,
            np.diff(np.append(first, pairs.size)),
            (pairs & _ROW_MASK).astype(np.uint32),
            times,
        )

    def extended(self, other: Postings) -> Postings:
        """Return postings with the entries of later rows. No row of `other` may be in this one already.

        The cost grows mainly with the size of `other`.
        """
        if not other.keys.size:
            return self
        added = other.row_counts()
        places = self.find(other.keys)
        grown = self._with_keys(other.keys[places < 0])
        at = places.copy()
        at[places < 0] = np.arange(self.keys.size, grown.keys.size)
        full = grown.ends[at] + added > grown.limits[at]
        need = grown.row_counts()[at[full]] + added[full]
        need += need // _SPARE_SHARE + 1
        if grown.used + int(need.sum()) > grown.holders.size:
            return _laid_out(grown.keys, *_entries_of_both(grown, other, at), grown.in_order, grown.places)
        return _filled(grown, other, at, full, need)

    def _with_keys(self, keys: NDArray[np.uint32]) -> Postings:
        """Add new keys, in increasing order, without rows.

        Bounds are copied, so that the caller may write to them.
        """
        none = np.full(keys.size, self.used, dtype=np.int64)
        at = np.searchsorted(self.in_order, keys)
        return Postings(
            keys=np.concatenate([self.keys, keys]),
            begins=np.concatenate([self.begins, none]),
            ends=np.concatenate([self.ends, none]),
            limits=np.concatenate([self.limits, none]),
            holders=self.holders,
            counts=self.counts,
            used=self.used,
            in_order=np.insert(self.in_order, at, keys),
            places=np.insert(self.places, at, np.arange(self.keys.size, self.keys.size + keys.size)),
        )

    def find(self, keys: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Return the place of each key, −1 for absent keys."""
        if not self.in_order.size:
            return np.full(keys.size, -1, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.in_order, keys), self.in_order.size - 1)
        return np.where(self.in_order[at] == keys, self.places[at], -1)

    def rows(self, place: int) -> tuple[Rows, NDArray[np.uint16]]:
        """Return the rows that hold the key at a place, and its count in each."""
        holders, counts = self.slice_of(place)
        return holders.astype(np.int64), counts

    def slice_of(self, place: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """Return the same as `rows`, without a copy."""
        start, end = self.begins[place], self.ends[place]
        return self.holders[start:end], self.counts[start:end]

    def rows_of(self, places: Rows) -> Rows:
        """Return the rows of several keys, concatenated."""
        at = gather(self.begins[places], self.ends[places] - self.begins[places])
        return self.holders[at].astype(np.int64)

    def row_counts(self) -> NDArray[np.int64]:
        """Return the number of rows of each key."""
        return self.ends - self.begins

    @property
    def nbytes(self) -> int:
        """Memory use in bytes."""
        return sum(
            part.nbytes
            for part in (
                self.keys, self.begins, self.ends, self.limits, self.holders, self.counts,
                self.in_order, self.places,
            )
        )  # fmt: skip


def _filled(grown: Postings, other: Postings, at: Rows, full: NDArray[np.bool_], need: Rows) -> Postings:
    """Append the entries of `other` to the keys at the places `at`.

    Args:
        grown: New postings from `_with_keys`; its bounds are overwritten.
        other: Postings to append.
        at: Place in `grown` of each key of `other`.
        full: Which of these keys lack spare capacity and are moved.
        need: Capacity of each moved key after the move.
    """
    holders, counts = grown.holders, grown.counts
    moved = at[full]
    sizes = grown.ends[moved] - grown.begins[moved]
    begins = grown.used + np.cumsum(need) - need
    old, new = gather(grown.begins[moved], sizes), gather(begins, sizes)
    holders[new], counts[new] = holders[old], counts[old]
    grown.begins[moved], grown.ends[moved], grown.limits[moved] = begins, begins + sizes, begins + need
    added = other.row_counts()
    old, new = gather(other.begins, added), gather(grown.ends[at], added)
    holders[new], counts[new] = other.holders[old], other.counts[old]
    grown.ends[at] += added
    return replace(grown, used=grown.used + int(need.sum()))


def _laid_out(
    keys: NDArray[np.uint32],
    starts: Rows,
    sizes: Rows,
    holders: NDArray[np.uint32],
    counts: NDArray[np.uint16],
    in_order: NDArray[np.uint32] | None = None,
    places: Rows | None = None,
) -> Postings:
    """Copy the entries [starts, starts + sizes) of each key into new arrays with spare capacity.

    `in_order` and `places` are as in `Postings`; without them, the keys must be sorted.
    """
    limits = np.cumsum(sizes + sizes // _SPARE_SHARE)
    begins = limits - sizes - sizes // _SPARE_SHARE
    used = int(limits[-1]) if limits.size else 0
    room = used + used // _SPARE_SHARE + _LEAST_TAIL
    own_holders, own_counts = np.empty(room, dtype=np.uint32), np.empty(room, dtype=np.uint16)
    old, new = gather(starts, sizes), gather(begins, sizes)
    own_holders[new], own_counts[new] = holders[old], counts[old]
    return Postings(
        keys=keys,
        begins=begins,
        ends=begins + sizes,
        limits=limits,
        holders=own_holders,
        counts=own_counts,
        used=used,
        in_order=keys if in_order is None else in_order,
        places=np.arange(keys.size, dtype=np.int64) if places is None else places,
    )


def _entries_of_both(
    first: Postings, second: Postings, at: Rows
) -> tuple[Rows, Rows, NDArray[np.uint32], NDArray[np.uint16]]:
    """Merge the entries of two postings.

    Args:
        first: Postings that define the places.
        second: Postings to merge.
        at: Place in `first` of each key of `second`.

    Returns:
        starts, sizes, holders and counts, by place.
    """
    one, two = first.row_counts(), second.row_counts()
    sizes = one.copy()
    sizes[at] += two
    starts = np.cumsum(sizes) - sizes
    holders = np.empty(int(sizes.sum()), dtype=np.uint32)
    counts = np.empty(holders.size, dtype=np.uint16)
    for postings, own, begin in ((first, one, starts), (second, two, starts[at] + one[at])):
        old, new = gather(postings.begins, own), gather(begin, own)
        holders[new], counts[new] = postings.holders[old], postings.counts[old]
    return starts, sizes, holders, counts


def unpack_rows(
    blobs: Sequence[bytes], dtype: str, first_row: int = 0
) -> tuple[NDArray[np.unsignedinteger], Rows, NDArray[np.int64]]:
    """Unpack the keys of many rows at once.

    Args:
        blobs: Packed keys of each row.
        dtype: Type of a packed key.
        first_row: Number of the first row.

    Returns:
        The keys, the row of each key, and the number of keys of each row.
    """
    values = np.frombuffer(b"".join(blobs), dtype=dtype)
    lengths = np.fromiter(map(len, blobs), dtype=np.int64, count=len(blobs)) // np.dtype(dtype).itemsize
    rows = np.repeat(np.arange(first_row, first_row + len(blobs), dtype=np.int64), lengths)
    return values, rows, lengths


def gather(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of many slices [start, start + length), concatenated."""
    total = int(lengths.sum())
    if not total:
        return np.empty(0, dtype=np.int64)
    offsets = np.repeat(starts - np.append(0, np.cumsum(lengths)[:-1]), lengths)
    return offsets + np.arange(total, dtype=np.int64)


def _changes(values: NDArray[np.unsignedinteger]) -> NDArray[np.int64]:
    """Return the positions at which a sorted array changes its value."""
    if not values.size:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(np.append(True, values[1:] != values[:-1]))
