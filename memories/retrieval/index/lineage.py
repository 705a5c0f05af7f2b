"""What is no longer so: rows that ended or were corrected, what followed, and the turns that taught them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import Growing

Rows = NDArray[np.int64]
_SOURCE: Final = ">i8"
#: Successors that are followed at most; a chain that is longer has none.
_MOST_STEPS: Final = 100
#: A source that more turns share is a document, and not what one of them said.
_MOST_TURNS: Final = 12
#: Size of one packed source, the most common case, in bytes.
_PACKED_BYTES: Final = 48


class LineageColumns(NamedTuple):
    """The columns of a lineage, n values each.

    Attributes:
        is_over: (n,) Whether each row says what is no longer so, or never was.
        is_reworded: (n,) Whether its successor is the same memory, edited by a person.
        sources: Hashes of the sources of each row, int64, big endian.
        successors: Id of the row that replaced each; empty for none.
    """

    is_over: NDArray[np.bool_]
    is_reworded: NDArray[np.bool_]
    sources: Sequence[bytes]
    successors: Sequence[bytes]


@dataclass(frozen=True, slots=True, eq=False)
class FormerRows:
    """Rows that say what is no longer so, at any time.

    Attributes:
        facts: (f,) The rows that ended, were corrected, or were taken back by the person, ascending.
        turns: (t,) Turns that taught them. One turn may teach several.
        taught: (t,) For each turn, the position in `facts` of what it taught.
    """

    facts: Rows
    turns: Rows
    taught: Rows

    def __len__(self) -> int:
        return self.facts.size

    @property
    def nbytes(self) -> int:
        """Memory use in bytes."""
        return self.facts.nbytes + self.turns.nbytes + self.taught.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class Lineage:
    """Where rows came from and what followed them: columns (n,), see `LineageColumns`.

    Attributes:
        _first_sources: Hash of the first source of each row; 0 for none.
    """

    _is_over: Growing
    _is_reworded: Growing
    _first_sources: Growing
    _sources: Growing
    _successors: Growing

    @classmethod
    def build(cls, columns: LineageColumns) -> Lineage:
        """Build a lineage of these rows."""
        return cls(*map(Growing.of, _as_arrays(columns)))

    def grown(self, columns: LineageColumns) -> Lineage:
        """Return the lineage with rows added."""
        added = _as_arrays(columns)
        return Lineage(*(column.grown(more) for column, more in zip(self._columns, added, strict=True)))

    def changed(self, at: Rows, columns: LineageColumns) -> Lineage:
        """Return the lineage with other values in the rows `at`."""
        values = _as_arrays(columns)
        return Lineage(
            *(column.changed(at, some) for column, some in zip(self._columns, values, strict=True))
        )

    def find_former(self, turns: NDArray[np.bool_]) -> FormerRows:
        """Return the rows that are over at some time, and the turns that taught them.

        Args:
            turns: (n,) Whether each row is a turn.
        """
        over = np.flatnonzero(self._is_over.values & ~turns)
        taught_by = [_unpack(self._sources.values[row]) for row in over]
        place = np.repeat(np.arange(over.size), [hashes.size for hashes in taught_by])
        hashes = np.concatenate([*taught_by, np.zeros(0, dtype=np.int64)])
        in_order = np.argsort(hashes, kind="stable")
        teaching = np.flatnonzero(turns & (self._first_sources.values != 0))
        source = self._first_sources.values[teaching]
        first = np.searchsorted(hashes, source, "left", sorter=in_order)
        count = np.searchsorted(hashes, source, "right", sorter=in_order) - first
        count[_count_equal(source) > _MOST_TURNS] = 0
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        taught = place[in_order[np.repeat(first, count) + offset]]
        return FormerRows(over, np.repeat(teaching, count), taught)

    def number_sayings(self, rows: Rows) -> Rows:
        """Return (m,) equal numbers for rows with the same first source; a number of its own for any other.

        A source that more than _MOST_TURNS of the rows share is a document: each of them is a saying.
        """
        sources = self._first_sources.values[rows]
        alone = (sources == 0) | (_count_equal(sources) > _MOST_TURNS)
        return np.where(alone, np.arange(rows.size), np.unique(sources, return_inverse=True)[1] + rows.size)

    def find_heir(self, row: int, slot: Mapping[Hashable, int], eligible: NDArray[np.bool_]) -> int:
        """Return the first eligible row that followed this one, directly or not; -1 if there is none.

        Args:
            row: The row.
            slot: Row of each id.
            eligible: (n,) Rows that may be found.
        """
        for _ in range(_MOST_STEPS):
            row = self._follow(row, slot)
            if row < 0 or eligible[row]:
                return row
        return -1

    def tells_of_change(self, turn: int, row: int, slot: Mapping[Hashable, int]) -> bool:
        """Return whether a turn taught a row, and also what replaced it.

        What a person edited has the sources of the wording before, and says nothing about them.
        """
        source = self._first_sources.values[turn]
        for _ in range(_MOST_STEPS):
            edited = bool(self._is_reworded.values[row])
            row = self._follow(row, slot)
            if row < 0:
                return False
            if not edited and source in _unpack(self._sources.values[row]):
                return True
        return False

    def _follow(self, row: int, slot: Mapping[Hashable, int]) -> int:
        after = slot.get(self._successors.values[row], -1)
        return after if after < len(self._is_over.values) else -1

    @property
    def _columns(self) -> tuple[Growing, ...]:
        return self._is_over, self._is_reworded, self._first_sources, self._sources, self._successors

    @property
    def nbytes(self) -> int:
        """Approximate memory use in bytes."""
        return sum(column.nbytes for column in self._columns) + _PACKED_BYTES * len(self._is_over.values)


def _as_arrays(columns: LineageColumns) -> tuple[NDArray[np.generic], ...]:
    first = [int.from_bytes(packed[:8], "big", signed=True) for packed in columns.sources]
    return (
        np.asarray(columns.is_over, dtype=np.bool_),
        np.asarray(columns.is_reworded, dtype=np.bool_),
        np.array(first, dtype=np.int64),
        _hold(columns.sources),
        _hold(columns.successors),
    )


def _hold(values: Sequence[bytes]) -> NDArray[np.generic]:
    held = np.empty(len(values), dtype=object)
    held[:] = values
    return held


def _count_equal(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (n,) how often each value occurs among all."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(count[place], dtype=np.int64)


def _unpack(packed: bytes) -> NDArray[np.int64]:
    return np.frombuffer(packed, _SOURCE).astype(np.int64)
