"""Arrays with spare capacity, which can grow without a copy each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_LEAST_ROOM: Final = 16  # entries
_ROOM_SHARE: Final = 16  # one spare entry per this many used ones


@dataclass(frozen=True, slots=True, eq=False)
class Growing:
    """An array with spare capacity behind it.

    Callers must not change `values`. `grown` returns a longer array that shares the same memory. Of several
    versions that share memory, only the longest may grow; `OwnerIndex.extend` ensures this.
    """

    values: NDArray[Any]
    _room: NDArray[Any]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Growing:
        """Copy `values` (n, …) and add spare capacity of one sixteenth."""
        count = len(values)
        room = np.empty((count + count // _ROOM_SHARE + _LEAST_ROOM, *values.shape[1:]), dtype=values.dtype)
        room[:count] = values
        return cls(room[:count], room)

    def grown(self, more: NDArray[Any]) -> Growing:
        """Return the array with `more` (k, …) appended. Copies only if the spare capacity is used up."""
        first, count = len(self.values), len(self.values) + len(more)
        if count > len(self._room):
            return Growing.of(np.concatenate([self.values, more.astype(self.values.dtype)]))
        self._room[first:count] = more
        return Growing(self._room[:count], self._room)

    def changed(self, at: NDArray[np.int64], values: NDArray[Any]) -> Growing:
        """Return a copy with these values at these places, or the array itself if they are there already."""
        now = self.values[at]
        values = values.astype(now.dtype)
        if np.array_equal(now, values, equal_nan=now.dtype.kind == "f"):
            return self
        copy = Growing.of(self.values)
        copy.values[at] = values
        return copy

    @property
    def nbytes(self) -> int:
        """Memory use in bytes, spare capacity included."""
        return self._room.nbytes
