"""What a conversation's shape adds: the turns around a turn, and its session as a whole."""

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

#: How much of what is said at an offset (in turns, negative: before) counts for a turn: what was said just
#: before gives it its meaning, what comes after less. Fitted on conversations between two people.
AROUND: Final[Mapping[int, float]] = {-3: 0.2, -2: 0.4, -1: 0.6, 1: 0.3, 2: 0.2}
#: The same for similarity, which wanders more slowly than words.
AROUND_SIMILARITY: Final[Mapping[int, float]] = {
    -4: 0.2, -3: 0.4, -2: 0.6, -1: 0.8, 1: 0.6, 2: 0.4, 3: 0.2,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Turns:
    """Order within sessions.

    order: rows that belong to a session, session by session, in turn order.
    starts: where each session begins in `order`. session: (len(order),) the session's number there.
    place: (n,) where each row stands in `order`, −1 for rows outside any session.
    """

    order: Integers
    starts: Integers
    session: Integers
    place: Integers

    @classmethod
    def of(cls, sessions: Codes, positions: Integers, spoken: NDArray[np.bool_]) -> Turns:
        """sessions: (n,) session codes; positions: order within it; spoken: rows that take part.

        Of equal positions the earlier row comes first: rows are given in the order of their ids.
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
        """With rows at the end. Arguments: of all rows; of equal positions the lower id comes first."""
        fresh = self.place.size + np.flatnonzero(spoken[self.place.size :])
        if not fresh.size:
            outside = np.full(sessions.size - self.place.size, -1, dtype=np.int64)
            return Turns(self.order, self.starts, self.session, np.concatenate([self.place, outside]))
        codes, ends = sessions[self.order[self.starts]], np.append(self.starts[1:], self.order.size)

        def key(row: int) -> tuple[int, Any]:
            return int(positions[row]), ids[row]

        def place_of(row: int) -> int:
            """Where a row belongs among the turns there are."""
            at = int(np.searchsorted(codes, sessions[row]))
            if at == codes.size or codes[at] != sessions[row]:
                return int(self.starts[at]) if at < codes.size else self.order.size
            turns = range(int(self.starts[at]), int(ends[at]))
            return bisect_left(turns, key(row), key=lambda turn: key(int(self.order[turn]))) + turns.start

        rows = sorted(fresh.tolist(), key=lambda row: (int(sessions[row]), *key(row)))
        return self._of(np.insert(self.order, [place_of(row) for row in rows], rows), sessions)

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return sum(part.nbytes for part in (self.order, self.starts, self.session, self.place))


def kernel_arrays(kernel: Mapping[int, float]) -> tuple[Integers, Float32]:
    """A kernel's offsets and their weights."""
    return np.array([*kernel], dtype=np.int64), np.array([*kernel.values()], dtype=np.float32)


def inherited(values: Float32, asks: NDArray[np.bool_], turns: Turns) -> Float32:
    """The value of the turn before each row, if that asks and its value is positive; else 0."""
    found = np.empty_like(values)
    kernels.ask_before(values, asks, turns.order, turns.session, found)
    return found


def summed_around(values: Float32, turns: Turns, kernel: Mapping[int, float]) -> Float32:
    """Each row's value plus those of the turns around it by weight; rows outside any session keep theirs."""
    sums = np.empty_like(values)
    kernels.sum_around(values, turns.order, turns.session, *kernel_arrays(kernel), sums)
    return sums


def best_of_session(values: Float32, eligible: NDArray[np.bool_], turns: Turns) -> Float32:
    """Mean of the best three values in each row's session (all, if it has fewer than three).

    What is not eligible must not lift its session: there it counts 0 at most. Rows outside any session keep
    their own value: a session of one.
    """
    best = np.empty_like(values)
    kernels.best_of_sessions(values, eligible, turns.order, turns.starts, best)
    return best
