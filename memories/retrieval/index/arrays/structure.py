"""The structure of conversations: neighbouring turns and sessions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import kernels

Float32 = NDArray[np.float32]
Integers = NDArray[np.int64]
Codes = NDArray[np.integer]

#: How much the terms of a neighbouring turn count for a turn, by offset in turns (negative: before).
#: Preceding turns give a turn its meaning; following turns count less. Fitted on conversations between two
#: people.
AROUND: Final[Mapping[int, float]] = {-3: 0.2, -2: 0.4, -1: 0.6, 1: 0.3, 2: 0.2}
#: The same for similarity. Topics change more slowly than words, so it reaches further.
AROUND_SIMILARITY: Final[Mapping[int, float]] = {
    -4: 0.2, -3: 0.4, -2: 0.6, -1: 0.8, 1: 0.6, 2: 0.4, 3: 0.2,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Turns:
    """The order of turns within sessions.

    Attributes:
        order: Rows that belong to a session, grouped by session, in turn order.
        starts: Start of each session in `order`.
        session: (len(order),) Number of the session of each entry of `order`.
        place: (n,) Position of each row in `order`, −1 for rows outside any session.
    """

    order: Integers
    starts: Integers
    session: Integers
    place: Integers

    @classmethod
    def of(cls, sessions: Codes, positions: Integers, spoken: NDArray[np.bool_]) -> Turns:
        """Sort rows into turns. Rows must come in the order of their ids, which breaks ties of position.

        Args:
            sessions: (n,) Session codes.
            positions: (n,) Order within the session.
            spoken: (n,) Whether each row belongs to a session.
        """
        members = np.flatnonzero(spoken)
        order = members[np.lexsort((members, positions[members], sessions[members]))]
        return cls._of(order, sessions)

    @classmethod
    def _of(cls, order: Integers, sessions: Codes) -> Turns:
        coded = sessions[order]
        new = np.ones(order.size, dtype=bool)
        new[1:] = coded[1:] != coded[:-1]
        place = np.full(sessions.size, -1, dtype=np.int64)
        place[order] = np.arange(order.size)
        return cls(order, np.flatnonzero(new), np.cumsum(new) - 1, place)

    def extended(
        self, sessions: Codes, positions: Integers, spoken: NDArray[np.bool_], ids: Sequence[Any]
    ) -> Turns:
        """Return the turns with rows appended.

        The arguments cover all rows; the lower id breaks ties of position.
        """
        fresh = self.place.size + np.flatnonzero(spoken[self.place.size :])
        if not fresh.size:
            outside = np.full(sessions.size - self.place.size, -1, dtype=np.int64)
            return Turns(self.order, self.starts, self.session, np.concatenate([self.place, outside]))
        codes, ends = sessions[self.order[self.starts]], np.append(self.starts[1:], self.order.size)

        def key(row: int) -> tuple[int, Any]:
            return int(positions[row]), ids[row]

        def place_of(row: int) -> int:
            """Return the position of a row among the existing turns."""
            at = int(np.searchsorted(codes, sessions[row]))
            if at == codes.size or codes[at] != sessions[row]:
                return int(self.starts[at]) if at < codes.size else self.order.size
            turns = range(int(self.starts[at]), int(ends[at]))
            return bisect_left(turns, key(row), key=lambda turn: key(int(self.order[turn]))) + turns.start

        rows = sorted(fresh.tolist(), key=lambda row: (int(sessions[row]), *key(row)))
        return self._of(np.insert(self.order, [place_of(row) for row in rows], rows), sessions)

    @property
    def nbytes(self) -> int:
        """Memory use in bytes."""
        return sum(part.nbytes for part in (self.order, self.starts, self.session, self.place))


def kernel_arrays(kernel: Mapping[int, float]) -> tuple[Integers, Float32]:
    """Return the offsets of a kernel and their weights."""
    return np.array([*kernel], dtype=np.int64), np.array([*kernel.values()], dtype=np.float32)


def inherit_from_question(values: Float32, asks: NDArray[np.bool_], turns: Turns) -> Float32:
    """Return the value of the turn before each row if that turn asks and its value is positive, else 0."""
    found = np.empty_like(values)
    kernels.ask_before(values, asks, turns.order, turns.session, found)
    return found


def sum_around_turns(values: Float32, turns: Turns, kernel: Mapping[int, float]) -> Float32:
    """Return each row's value plus the weighted values of neighbouring turns.

    Rows outside any session keep their value.
    """
    sums = np.empty_like(values)
    kernels.sum_around(values, turns.order, turns.session, *kernel_arrays(kernel), sums)
    return sums


def compute_best_of_session(values: Float32, eligible: NDArray[np.bool_], turns: Turns) -> Float32:
    """Return the mean of the three highest values in each row's session (of all, if it has fewer).

    A row that is not eligible counts as at most 0, so that it cannot raise its session. Rows outside any
    session keep their own value.
    """
    best = np.empty_like(values)
    kernels.best_of_sessions(values, eligible, turns.order, turns.starts, best)
    return best
