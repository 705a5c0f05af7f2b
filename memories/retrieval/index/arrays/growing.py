"""Arrays that grow at the end without being copied each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_LEAST_ROOM: Final = 16  # entries
_ROOM_SHARE: Final = 16  # one entry of room for so many in use


@dataclass(frozen=True, slots=True, eq=False)
class Growing:
    """An array and room behind it. Nobody changes `values`; `grown` gives a longer array of the same room.

    Of several versions that share a room only the longest may grow: `OwnerIndex.extend` sees to that.
    """

    values: NDArray[Any]
    _room: NDArray[Any]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Growing:
        """A copy of `values` (n, …) with room for a sixteenth more."""
        count = len(values)
        room = np.empty((count + count // _ROOM_SHARE + _LEAST_ROOM, *values.shape[1:]), dtype=values.dtype)
        room[:count] = values
        return cls(room[:count], room)

    def grown(self, more: NDArray[Any]) -> Growing:
        """With `more` (k, …) at the end. Copies all only when the room is used up."""
        first, count = len(self.values), len(self.values) + len(more)
        if count > len(self._room):
            return Growing.of(np.concatenate([self.values, more.astype(self.values.dtype)]))
        self._room[first:count] = more
        return Growing(self._room[:count], self._room)

    def changed(self, at: NDArray[np.int64], values: NDArray[Any]) -> Growing:
        """With these values at these places: a copy, or itself where they stand there already."""
        now = self.values[at]
        values = values.astype(now.dtype)
        if np.array_equal(now, values, equal_nan=now.dtype.kind == "f"):
            return self
        copy = Growing.of(self.values)
        copy.values[at] = values
        return copy

    @property
    def nbytes(self) -> int:
        """Memory held, room included, in bytes."""
        return self._room.nbytes
