"""What a conversation's shape adds: the turns around a turn, and its session as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Integers = NDArray[np.int64]

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
    heard: for each offset of `AROUND`, (n,): the row for which this row stands at that offset, or −1.
    """

    order: Integers
    starts: Integers
    session: Integers
    place: Integers
    heard: Mapping[int, Integers]

    @classmethod
    def of(cls, sessions: Integers, positions: Integers, spoken: NDArray[np.bool_]) -> Turns:
        """sessions: (n,) session codes; positions: order within it; spoken: rows that take part."""
        members = np.flatnonzero(spoken)
        order = members[np.lexsort((members, positions[members], sessions[members]))]
        coded = sessions[order]
        new = np.ones(order.size, dtype=bool)
        new[1:] = coded[1:] != coded[:-1]
        place = np.full(sessions.size, -1, dtype=np.int64)
        place[order] = np.arange(order.size)
        session = np.cumsum(new) - 1
        heard = {offset: _heard_at(offset, order, session, sessions.size) for offset in AROUND}
        return cls(order, np.flatnonzero(new), session, place, heard)

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        held = sum(part.nbytes for part in (self.order, self.starts, self.session, self.place))
        return held + sum(rows.nbytes for rows in self.heard.values())


def _heard_at(offset: int, order: Integers, session: Integers, rows: int) -> Integers:
    heard = np.full(rows, -1, dtype=np.int64)
    places = np.arange(order.size)
    listeners = places - offset
    inside = (listeners >= 0) & (listeners < order.size)
    inside[inside] = session[listeners[inside]] == session[places[inside]]
    heard[order[inside]] = order[listeners[inside]]
    return heard


def previous(values: Float32, turns: Turns) -> Float32:
    """The value of the turn before each row, 0 where there is none."""
    before = np.zeros_like(values)
    ordered = values[turns.order]
    shifted = np.zeros_like(ordered)
    shifted[1:] = np.where(turns.session[1:] == turns.session[:-1], ordered[:-1], 0)
    before[turns.order] = shifted
    return before


def summed_around(values: Float32, turns: Turns, kernel: Mapping[int, float]) -> Float32:
    """Each row's value plus those of the turns around it by weight; rows outside any session keep theirs."""
    result = values.copy()
    ordered = values[turns.order]
    total = ordered.copy()
    for to, source, weight in _shifts(turns, kernel):
        total[to] += np.float32(weight) * ordered[source] * (turns.session[to] == turns.session[source])
    result[turns.order] = total
    return result


def best_of_session(values: Float32, turns: Turns) -> Float32:
    """Mean of the best three values in each row's session (all, if it has fewer than three).

    Rows outside any session keep their own value: a session of one.
    """
    result = values.copy()
    if not turns.order.size:
        return result
    ordered = values[turns.order]
    sizes = np.diff(np.append(turns.starts, turns.order.size))
    wanted = np.minimum(sizes, 3).astype(np.float32)
    total = np.zeros(sizes.size, dtype=np.float32)
    left = wanted.copy()
    while left.any():
        best = np.maximum.reduceat(ordered, turns.starts)
        is_best = ordered == best[turns.session]
        taken = np.minimum(left, np.add.reduceat(is_best.astype(np.float32), turns.starts))
        total += taken * np.where(taken > 0, best, 0)
        left -= taken
        ordered = np.where(is_best, np.float32(-np.inf), ordered)
    result[turns.order] = (total / wanted)[turns.session]
    return result


def _shifts(turns: Turns, kernel: Mapping[int, float]) -> Iterator[tuple[slice, slice, float]]:
    """For each offset of a kernel: the places that receive, those they receive from, and the weight."""
    size = turns.order.size
    for offset, weight in kernel.items():
        if abs(offset) < size:
            to = slice(max(0, -offset), size - max(0, offset))
            yield to, slice(to.start + offset, to.stop + offset), weight
