"""Loops over an owner's rows, compiled: what numpy would need a dozen passes and as many arrays for.

Every function is plain arithmetic on contiguous arrays and keeps nothing. Compiled code is kept beside this
file, or in the user's cache folder where that cannot be written; without either it is compiled at each start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Integers = NDArray[np.int64]
Pairs = NDArray[np.uint64]
Mask = NDArray[np.bool_]
Loop = TypeVar("Loop", bound=Callable[..., Any])

_ROW_MASK: Final = np.uint64(0xFFFFFFFF)
_BEST_OF_SESSION: Final = 3
_SAME: Final = 1e-6  # a deviation below which float32 tells nothing from rounding


def _compiled(loop: Loop) -> Loop:
    try:
        return cast("Loop", numba.njit(cache=True, nogil=True)(loop))
    except RuntimeError:  # no folder to keep it in
        return cast("Loop", numba.njit(nogil=True)(loop))


@_compiled
def slice_sums(values: Float32, at: NDArray[np.uint16], starts: Integers, sums: Float32) -> None:
    """sums[r] = Σ values[at[i]] over i in [starts[r], starts[r + 1])."""
    for row in range(starts.size - 1):
        total = np.float32(0)
        for place in range(starts[row], starts[row + 1]):
            total += values[at[place]]
        sums[row] = total


@_compiled
def chosen_sums(
    values: Float32, at: NDArray[np.uint16], starts: Integers, rows: Integers, sums: Float32
) -> None:
    """`slice_sums` of a few rows alone: sums[k] belongs to rows[k]."""
    for number in range(rows.size):
        total = np.float32(0)
        for place in range(starts[rows[number]], starts[rows[number] + 1]):
            total += values[at[place]]
        sums[number] = total


@_compiled
def add_nearest(  # noqa: PLR0913, PLR0917 - arrays side by side
    column: Float32,
    least: float,
    share: float,
    pairs: Pairs,
    starts: Integers,
    order: Integers,
    session: Integers,
    place: Integers,
    offsets: Integers,
    weights: Float32,
    own: Float32,
    best: Float32,
    total: Float32,
) -> None:
    """total[r] += share · max over the row's keys of column, and over those of the turns around, by weight.

    column: (keys,) a value for each key of the postings; those under `least` count for nothing.
    own, best: (n,) zeros to work in, zeros again at the end.
    """
    for key in range(column.size):
        value = column[key]
        if value >= least:
            for at in range(starts[key], starts[key + 1]):
                holder = np.int64(pairs[at] & _ROW_MASK)
                own[holder] = max(own[holder], value)
    for row in range(own.size):
        value = own[row]
        if value > 0:
            best[row] = max(best[row], value)
            here = place[row]
            if here >= 0:
                for number in range(offsets.size):
                    there = here - offsets[number]
                    if 0 <= there < order.size and session[there] == session[here]:
                        other = order[there]
                        best[other] = max(best[other], weights[number] * value)
            own[row] = 0
    for row in range(best.size):
        total[row] += share * best[row]
        best[row] = 0


@_compiled
def add_term(  # noqa: PLR0913, PLR0917 - arrays side by side
    weight: float,
    gain: float,
    pairs: Pairs,
    counts: NDArray[np.uint16],
    order: Integers,
    session: Integers,
    place: Integers,
    offsets: Integers,
    weights: Float32,
    norm: Float32,
    count: Float32,
    touched: Integers,
    covered: Float32,
    context: Float32,
) -> None:
    """One term's BM25: context[r] += gain · f / (f + norm[r]), f: times in the row and, by weight, around it.

    pairs, counts: of this term alone. covered[r] += weight for rows that hold it themselves.
    count: (n,) zeros to work in, zeros again at the end; touched: (n,) room for row numbers.
    """
    reached = 0
    for at in range(pairs.size):
        row = np.int64(pairs[at] & _ROW_MASK)
        covered[row] += weight
        if count[row] == 0:
            touched[reached] = row
            reached += 1
        count[row] += counts[at]
        here = place[row]
        if here >= 0:
            for number in range(offsets.size):
                there = here - offsets[number]
                if 0 <= there < order.size and session[there] == session[here]:
                    other = order[there]
                    if count[other] == 0:
                        touched[reached] = other
                        reached += 1
                    count[other] += weights[number] * counts[at]
    for number in range(reached):
        row = touched[number]
        context[row] += gain * count[row] / (count[row] + norm[row])
        count[row] = 0


@_compiled
def standardise(values: Float32, eligible: Mask, scores: Float32) -> None:
    """scores = (values − mean) / deviation, both over the eligible rows; all 0 where these do not differ."""
    total, rows = 0.0, 0
    for row in range(values.size):
        if eligible[row]:
            total += values[row]
            rows += 1
    mean = total / max(rows, 1)
    squares = 0.0
    for row in range(values.size):
        if eligible[row]:
            squares += (values[row] - mean) ** 2
    deviation = np.sqrt(squares / max(rows, 1))
    for row in range(values.size):
        scores[row] = (values[row] - mean) / deviation if deviation >= _SAME else 0


@_compiled
def sum_around(
    values: Float32,
    order: Integers,
    session: Integers,
    offsets: Integers,
    weights: Float32,
    sums: Float32,
) -> None:
    """sums[r] = values[r] + Σ weight · the turn's value at each offset; outside a session values[r]."""
    sums[:] = values
    ordered = values[order]
    first, last = offsets.min(), offsets.max()
    for here in range(order.size):
        total = ordered[here]
        left, right = max(here + first, 0), min(here + last, order.size - 1)
        inside = right - left == last - first and session[left] == session[right]
        for number in range(offsets.size):
            there = here + offsets[number]
            if inside or (0 <= there < order.size and session[there] == session[here]):
                total += weights[number] * ordered[there]
        sums[order[here]] = total


@_compiled
def ask_before(values: Float32, asks: Mask, order: Integers, session: Integers, inherited: Float32) -> None:
    """inherited[r] = the value of the turn before if that asks and its value is positive; else 0."""
    inherited[:] = 0
    for here in range(1, order.size):
        before = order[here - 1]
        counts = asks[before] & (session[here] == session[here - 1])
        inherited[order[here]] = max(values[before], np.float32(0)) * counts


@_compiled
def best_of_sessions(
    values: Float32, eligible: Mask, order: Integers, starts: Integers, best: Float32
) -> None:
    """best[r] = mean of the three highest values of the row's session (all, if it has fewer).

    A row that is not eligible counts 0 there where its value is positive. Rows outside any session keep
    their own: a session of one.
    """
    for row in range(values.size):
        best[row] = values[row] if eligible[row] else min(values[row], np.float32(0))
    for number in range(starts.size):
        end = starts[number + 1] if number + 1 < starts.size else order.size
        first = second = third = np.float32(-np.inf)
        for here in range(starts[number], end):
            value = best[order[here]]
            if value > first:
                first, second, third = value, first, second
            elif value > second:
                second, third = value, second
            elif value > third:
                third = value
        size = min(end - starts[number], _BEST_OF_SESSION)
        total = first
        if size > 1:
            total += second
        if size > _BEST_OF_SESSION - 1:
            total += third
        for here in range(starts[number], end):
            best[order[here]] = total / size
