"""What is no longer so: rows that ended or were corrected, what followed, and the turns that taught them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import Growing

Rows = NDArray[np.int64]
_SOURCE: Final = ">i8"
#: Successors that are followed at most; a chain that is longer has none.
_MOST_STEPS: Final = 100


@dataclass(frozen=True, slots=True, eq=False)
class FormerRows:
    """Rows that said what is no longer so, at any time.

    Attributes:
        facts: (f,) The rows that ended, were corrected, or were taken back by the person.
        heirs: (f,) The row that in the end followed each; -1 if none did.
        turns: (t,) Turns that taught them. One turn may teach several.
        taught: (t,) For each turn, the position in `facts` of what it taught.
    """

    facts: Rows
    heirs: Rows
    turns: Rows
    taught: Rows

    def __len__(self) -> int:
        return self.facts.size


@dataclass(frozen=True, slots=True, eq=False)
class Lineage:
    """Where rows came from and what followed them: four columns (n,).

    Attributes:
        _is_over: Whether a row says what is no longer so, or never was.
        _first_sources: Hash of the first source of each row; 0 for none.
        _sources: The hashes of all sources, packed.
        _successors: The id of the row that replaced each; empty for none.
    """

    _is_over: Growing
    _first_sources: Growing
    _sources: Growing
    _successors: Growing

    @classmethod
    def build(
        cls, is_over: NDArray[np.bool_], sources: Sequence[bytes], successors: Sequence[bytes]
    ) -> Lineage:
        """Build the columns.

        Args:
            is_over: (n,) Whether each row says what is no longer so.
            sources: Hashes of the sources of each row, int64, big endian.
            successors: Id of the row that replaced each; empty for none.
        """
        return cls(*map(Growing.of, _as_columns(is_over, sources, successors)))

    def grown(
        self, is_over: NDArray[np.bool_], sources: Sequence[bytes], successors: Sequence[bytes]
    ) -> Lineage:
        """Return the columns with rows added."""
        added = _as_columns(is_over, sources, successors)
        return Lineage(*(column.grown(more) for column, more in zip(self._columns, added, strict=True)))

    def changed(
        self, at: Rows, is_over: NDArray[np.bool_], sources: Sequence[bytes], successors: Sequence[bytes]
    ) -> Lineage:
        """Return the columns with other values in the rows `at`."""
        values = _as_columns(is_over, sources, successors)
        return Lineage(
            *(column.changed(at, some) for column, some in zip(self._columns, values, strict=True))
        )

    def find_former(self, slot: Mapping[Hashable, int], turns: NDArray[np.bool_]) -> FormerRows:
        """Return the rows that are over, with their heirs and the turns that taught them.

        A turn from which the heir was learnt, too, tells of the change itself and is not among them.

        Args:
            slot: Row of each id.
            turns: (n,) Whether each row is a turn.
        """
        over = np.flatnonzero(self._is_over.values & ~turns)
        heirs = np.array([self._find_heir(int(row), slot) for row in over], dtype=np.int64)
        taught_by = [_unpack(self._sources.values[row]) for row in over]
        place = np.repeat(np.arange(over.size), [hashes.size for hashes in taught_by])
        hashes = np.concatenate([*taught_by, np.zeros(0, dtype=np.int64)])
        teaching = np.flatnonzero(turns & (self._first_sources.values != 0))
        teaching = teaching[np.isin(self._first_sources.values[teaching], hashes)]
        found = [
            (int(row), int(one))
            for row in teaching
            for one in place[hashes == self._first_sources.values[row]]
            if self._first_sources.values[row] not in self._sources_of(int(heirs[one]))
        ]
        pairs = np.array(found, dtype=np.int64).reshape(-1, 2)
        return FormerRows(over, heirs, pairs[:, 0], pairs[:, 1])

    def _find_heir(self, row: int, slot: Mapping[Hashable, int]) -> int:
        """Return the last row that followed this one and is not over itself; -1 if there is none."""
        for _ in range(_MOST_STEPS):
            row = slot.get(self._successors.values[row], -1)
            if not 0 <= row < len(self._is_over.values):
                return -1
            if not self._is_over.values[row] and not self._successors.values[row]:
                return row
        return -1

    def _sources_of(self, row: int) -> set[int]:
        return set(_unpack(self._sources.values[row]).tolist()) if row >= 0 else set()

    @property
    def _columns(self) -> tuple[Growing, ...]:
        return self._is_over, self._first_sources, self._sources, self._successors

    @property
    def nbytes(self) -> int:
        """Approximate memory use in bytes."""
        return sum(column.nbytes for column in self._columns)


def _as_columns(
    is_over: NDArray[np.bool_], sources: Sequence[bytes], successors: Sequence[bytes]
) -> tuple[NDArray[np.generic], ...]:
    first = [int.from_bytes(packed[:8], "big", signed=True) for packed in sources]
    return (
        np.asarray(is_over, dtype=np.bool_),
        np.array(first, dtype=np.int64),
        _hold(sources),
        _hold(successors),
    )


def _hold(values: Sequence[bytes]) -> NDArray[np.generic]:
    held = np.empty(len(values), dtype=object)
    held[:] = values
    return held


def _unpack(packed: bytes) -> NDArray[np.int64]:
    return np.frombuffer(packed, _SOURCE).astype(np.int64)
