"""Compiled loops over an owner's rows, which would take a dozen passes and temporary arrays in numpy.

Each function does arithmetic on contiguous arrays and keeps no state. Compiled code is cached beside this
file, or in the user's cache folder if that is not writable; without either it is compiled at each start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Integers = NDArray[np.int64]
Holders = NDArray[np.uint32]
Mask = NDArray[np.bool_]
Loop = TypeVar("Loop", bound=Callable[..., Any])

_BEST_OF_SESSION: Final = 3
_SAME: Final = 1e-6  # a smaller deviation cannot be told from float32 rounding
#: Lets a sum be added up in any order, and so in vector instructions.
_ANY_ORDER: Final = {"reassoc", "contract"}


def _compiled(loop: Loop, **options: Any) -> Loop:
    try:
        return cast("Loop", numba.njit(cache=True, nogil=True, **options)(loop))
    except RuntimeError:  # no writable folder for the cache
        return cast("Loop", numba.njit(nogil=True, **options)(loop))


def compiled_in_any_order(loop: Loop) -> Loop:
    """Compile a loop whose sums may be added up in any order, which is several times as fast."""
    return _compiled(loop, fastmath=_ANY_ORDER)


@_compiled
def slice_sums(values: Float32, at: NDArray[np.uint16], starts: Integers, sums: Float32) -> None:
    """sums[r] = Σ values[at[i]] over i in [starts[r], starts[r + 1])."""
    for row in range(starts.size - 1):
        # Four independent sums: with a single one, each addition would wait for the one before.
        first = second = third = fourth = np.float32(0)
        place, end = starts[row], starts[row + 1]
        while place + 3 < end:
            first += values[at[place]]
            second += values[at[place + 1]]
            third += values[at[place + 2]]
            fourth += values[at[place + 3]]
            place += 4
        while place < end:
            first += values[at[place]]
            place += 1
        sums[row] = (first + second) + (third + fourth)


@_compiled
def chosen_sums(
    values: Float32, at: NDArray[np.uint16], starts: Integers, rows: Integers, sums: Float32
) -> None:
    """Compute `slice_sums` for a few rows: sums[k] belongs to rows[k]."""
    for number in range(rows.size):
        total = np.float32(0)
        for place in range(starts[rows[number]], starts[rows[number] + 1]):
            total += values[at[place]]
        sums[number] = total


@_compiled
def _nearest_of_rows(
    dots: Float32,
    unit: Float32,
    least: float,
    holders: Holders,
    begins: Integers,
    ends: Integers,
    own: Float32,
    touched: Integers,
) -> int:
    """Set own[r] to the highest cosine of the row's keys, ignoring cosines below `least`.

    Returns:
        The number of rows set. Their numbers are the first entries of `touched`.
    """
    reached = 0
    for key in range(dots.size):
        value = dots[key] * unit[key]
        if value >= least:
            for at in range(begins[key], ends[key]):
                holder = np.int64(holders[at])
                if own[holder] == 0:
                    touched[reached] = holder
                    reached += 1
                own[holder] = max(own[holder], value)
    return reached


@_compiled
def add_nearest(  # noqa: PLR0913, PLR0917 - arrays side by side
    dots: Float32,
    unit: Float32,
    least: float,
    share: float,
    holders: Holders,
    begins: Integers,
    ends: Integers,
    order: Integers,
    session: Integers,
    place: Integers,
    offsets: Integers,
    weights: Float32,
    own: Float32,
    best: Float32,
    touched: Integers,
    total: Float32,
) -> None:
    """Compute total[r] += share · the highest cosine of the row's keys and, weighted, its neighbours'.

    Args:
        dots: (keys,) Dot product of each key's vector with the unit vector of the query's token.
        unit: (keys,) 1 / length of each key's vector, 0 for keys that do not count.
        least: Cosines below this are ignored.
        share: Factor of the maximum.
        own: (n,) Zeros as working memory; zeros again at the end.
        best: (n,) Like `own`.
        touched: (2n,) Working memory for row numbers.
        total: (n,) Sums, updated in place.
    """
    reached = holding = _nearest_of_rows(dots, unit, least, holders, begins, ends, own, touched)
    for number in range(holding):
        row = touched[number]
        value = own[row]
        own[row] = 0
        if best[row] == 0:
            touched[reached] = row
            reached += 1
        best[row] = max(best[row], value)
        position = place[row]
        if position >= 0:
            for step in range(offsets.size):
                neighbour = position - offsets[step]
                if 0 <= neighbour < order.size and session[neighbour] == session[position]:
                    other = order[neighbour]
                    if best[other] == 0:
                        touched[reached] = other
                        reached += 1
                    best[other] = max(best[other], weights[step] * value)
    for number in range(holding, reached):
        row = touched[number]
        total[row] += share * best[row]
        best[row] = 0


@_compiled
def add_term(  # noqa: PLR0913, PLR0917 - arrays side by side
    weight: float,
    gain: float,
    holders: Holders,
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
    """Compute the BM25 of one term: context[r] += gain · f / (f + norm[r]).

    f is the number of occurrences in the row and, weighted, in the neighbouring turns. covered[r] += weight
    for rows that hold the term themselves.

    Args:
        holders: Rows of this term.
        counts: Occurrences in each of these rows.
        count: (n,) Zeros as working memory; zeros again at the end.
        touched: (n,) Working memory for row numbers.
    """
    reached = 0
    for at in range(holders.size):
        row = np.int64(holders[at])
        covered[row] += weight
        if count[row] == 0:
            touched[reached] = row
            reached += 1
        count[row] += counts[at]
        position = place[row]
        if position >= 0:
            for number in range(offsets.size):
                neighbour = position - offsets[number]
                if 0 <= neighbour < order.size and session[neighbour] == session[position]:
                    other = order[neighbour]
                    if count[other] == 0:
                        touched[reached] = other
                        reached += 1
                    count[other] += weights[number] * counts[at]
    for number in range(reached):
        row = touched[number]
        context[row] += gain * count[row] / (count[row] + norm[row])
        count[row] = 0


@_compiled
def raise_to(values: Float32, holders: Holders, begins: Integers, ends: Integers, highest: Float32) -> None:
    """Set highest[r] to the maximum of itself and the values of the keys that row r holds."""
    for key in range(values.size):
        for at in range(begins[key], ends[key]):
            row = np.int64(holders[at])
            highest[row] = max(highest[row], values[key])


@_compiled
def add_held(
    values: Float64,
    keys: Integers,
    holders: Holders,
    counts: NDArray[np.uint16],
    begins: Integers,
    ends: Integers,
    sums: Float64,
) -> None:
    """Compute sums[r] (n, 3) += values[i] (…, 3) · the number of times row r holds keys[i]."""
    for number in range(keys.size):
        first, second, third = values[number, 0], values[number, 1], values[number, 2]
        for at in range(begins[keys[number]], ends[keys[number]]):
            row, times = np.int64(holders[at]), counts[at]
            sums[row, 0] += first * times
            sums[row, 1] += second * times
            sums[row, 2] += third * times


@_compiled
def lengths_of(sums: Float64, log_rows: float, lengths: Float32) -> None:
    """Compute lengths[r] = √(L²·s₀ − 2L·s₁ + s₂) from the sums of each row, with L = log_rows."""
    for row in range(lengths.size):
        square = (log_rows * sums[row, 0] - 2 * sums[row, 1]) * log_rows + sums[row, 2]
        lengths[row] = np.sqrt(max(square, 0.0))


@compiled_in_any_order
def standardise(values: Float32, eligible: Mask, scores: Float32) -> None:
    """Compute scores = (values − mean) / deviation over the eligible rows; all 0 if these do not differ."""
    total, rows = 0.0, 0
    for row in range(values.size):
        total += values[row] if eligible[row] else 0.0
        rows += eligible[row]
    mean = total / max(rows, 1)
    squares = 0.0
    for row in range(values.size):
        squares += (values[row] - mean) ** 2 if eligible[row] else 0.0
    deviation = np.sqrt(squares / max(rows, 1))
    factor = 1 / deviation if deviation >= _SAME else 0.0
    for row in range(values.size):
        scores[row] = (values[row] - mean) * factor


@_compiled
def sum_around(
    values: Float32,
    order: Integers,
    session: Integers,
    offsets: Integers,
    weights: Float32,
    sums: Float32,
) -> None:
    """Compute sums[r] = values[r] + Σ weight · the value at each offset.

    Rows outside a session keep values[r].
    """
    sums[:] = values
    ordered = values[order]
    first, last = offsets.min(), offsets.max()
    for position in range(order.size):
        total = ordered[position]
        left, right = max(position + first, 0), min(position + last, order.size - 1)
        inside = right - left == last - first and session[left] == session[right]
        for number in range(offsets.size):
            neighbour = position + offsets[number]
            if inside or (0 <= neighbour < order.size and session[neighbour] == session[position]):
                total += weights[number] * ordered[neighbour]
        sums[order[position]] = total


@_compiled
def ask_before(values: Float32, asks: Mask, order: Integers, session: Integers, inherited: Float32) -> None:
    """Set inherited[r] to the value of the turn before if that asks and its value is positive, else to 0."""
    inherited[:] = 0
    for position in range(1, order.size):
        before = order[position - 1]
        counts = asks[before] & (session[position] == session[position - 1])
        inherited[order[position]] = max(values[before], np.float32(0)) * counts


@_compiled
def best_of_sessions(
    values: Float32, eligible: Mask, order: Integers, starts: Integers, best: Float32
) -> None:
    """Set best[r] to the mean of the three highest values of the row's session (of all, if it has fewer).

    A row that is not eligible counts as 0 there if its value is positive. Rows outside any session keep their
    own value.
    """
    for row in range(values.size):
        best[row] = values[row] if eligible[row] else min(values[row], np.float32(0))
    for number in range(starts.size):
        end = starts[number + 1] if number + 1 < starts.size else order.size
        first = second = third = np.float32(-np.inf)
        for position in range(starts[number], end):
            value = best[order[position]]
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
        for position in range(starts[number], end):
            best[order[position]] = total / size


@_compiled
def largest(first: Float32, second: Float32, chosen: Mask, starts: Integers, rows: Integers) -> int:
    """Write the rows with the largest first + second > 0 into `rows`, largest first, and return their number.

    Only chosen rows whose slice [starts[r], starts[r + 1]) is not empty are considered.
    """
    found = 0
    for row in range(first.size):
        value = first[row] + second[row]
        if value <= 0 or not chosen[row] or starts[row] == starts[row + 1]:
            continue
        if found == rows.size and value <= first[rows[-1]] + second[rows[-1]]:
            continue
        found = min(found + 1, rows.size)
        at = found - 1
        while at > 0 and first[rows[at - 1]] + second[rows[at - 1]] < value:
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row
    return found


@_compiled
def hand_on(  # noqa: PLR0913, PLR0917 - arrays side by side
    rows: Integers,
    values: Float32,
    covered: Float32,
    passed: Integers,
    holders: Holders,
    begins: Integers,
    ends: Integers,
    in_order: NDArray[np.uint32],
    places: Integers,
    held: NDArray[np.uint32],
    of_row: Integers,
    most: float,
    damping: float,
    graph: Float32,
    linked: Float32,
) -> None:
    """Raise the n other rows that share a key with one of `rows` to its value / (1 + damping · ln n).

    A row never raises itself.

    Args:
        values: Value of each of `rows` for `graph`.
        covered: Value of each of `rows` for `linked`.
        passed: Places of keys that pass nothing on.
        in_order: All keys, sorted.
        places: Place of each key of `in_order`.
        held: Keys of all rows, concatenated.
        of_row: Start of each row in `held`.
        most: A key held by more rows than this passes nothing on.
        graph: (n,) Updated in place.
        linked: (n,) Updated in place.
    """
    for number in range(rows.size):
        for at in range(of_row[rows[number]], of_row[rows[number] + 1]):
            place = places[np.searchsorted(in_order, held[at])]
            size = ends[place] - begins[place]
            if size == 1 or size > most or (passed == place).any():
                continue
            share = np.float32(1 / (1 + damping * np.log(size - 1)))
            for other in range(begins[place], ends[place]):
                row = np.int64(holders[other])
                if row != rows[number]:
                    graph[row] = max(graph[row], share * values[number])
                    linked[row] = max(linked[row], share * covered[number])
