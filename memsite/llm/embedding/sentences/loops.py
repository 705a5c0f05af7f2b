"""Compiled loops of the sentence model, which numpy would do in several passes.

Each function does arithmetic on contiguous arrays and keeps no state. Compiled code is cached beside this
file, or in the user's cache folder if that is not writable; without either it is compiled at each start.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Starts = NDArray[np.uint32]
Loop = TypeVar("Loop", bound=Callable[..., Any])

#: Vector instructions need sums in any order, and divisions that give infinity in place of an error.
_OPTIONS: Final[Mapping[str, Any]] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"reassoc", "contract", "nsz"},
}
_HASH_START: Final = np.uint64(1469598103934665603)
_HASH_FACTOR: Final = np.uint64(1099511628211)
_ONE: Final = np.uint64(1)
_LOWEST: Final = np.float32(-1e30)
_ROOT_HALF: Final = np.float32(math.sqrt(0.5))
#: Coefficients of formula 7.1.28 of Abramowitz and Stegun, by power.
_TAIL: Final = tuple(
    map(np.float32, (1, 0.0705230784, 0.0422820123, 0.0092705272, 0.0001520143, 0.0002765672, 0.0000430638))
)


def _compiled(loop: Loop) -> Loop:
    try:
        return cast("Loop", numba.njit(cache=True, **_OPTIONS)(loop))
    except RuntimeError:  # no writable folder for the cache
        return cast("Loop", numba.njit(**_OPTIONS)(loop))


@_compiled
def fill_table(text: Bytes, starts: Starts, table: Int32) -> None:
    """Enter each piece into a hash table whose size is a power of two and whose free places are −1.

    The hash is FNV-1a; a taken place leads to the next one.
    """
    mask = np.uint64(table.size - 1)
    for piece in range(starts.size - 1):
        key = _HASH_START
        for place in range(starts[piece], starts[piece + 1]):
            key = (key ^ np.uint64(text[place])) * _HASH_FACTOR
        at = key & mask
        while table[at] >= 0:
            at = (at + _ONE) & mask
        table[at] = piece


class Pieces(NamedTuple):
    """The pieces that a text may consist of.

    Attributes:
        text: UTF-8 of all pieces, concatenated.
        starts: (n + 1) Start of each piece in `text`.
        scores: (n) Logarithm of the probability of each piece.
        table: See `fill_table`.
        longest: Bytes of the longest piece.
        unknown: Piece of a character that is in none, with a score of its own.
    """

    text: Bytes
    starts: Starts
    scores: Float32
    table: Int32
    longest: int
    unknown: int
    unknown_score: float


@_compiled
def find_piece(pieces: Pieces, key: np.uint64, content: Bytes, begin: int, end: int) -> int:
    """Return the piece that content[begin:end] is, whose hash is `key`; −1 if it is none."""
    mask = np.uint64(pieces.table.size - 1)
    at = key & mask
    while pieces.table[at] >= 0:
        piece = pieces.table[at]
        start, place = pieces.starts[piece], begin
        if pieces.starts[piece + 1] - start == end - begin:
            while place < end and pieces.text[start + place - begin] == content[place]:
                place += 1
            if place == end:
                return int(piece)
        at = (at + _ONE) & mask
    return -1


@_compiled
def find_best_pieces(pieces: Pieces, content: Bytes, characters: Int32, found: Int32) -> int:
    """Write the most probable sequence of pieces (Viterbi), last one first; return their number.

    Args:
        content: UTF-8 of the text.
        characters: Start of each character in `content`, and its end.
        found: Where they are written: room for one a character.
    """
    count = characters.size - 1
    best = np.full(count + 1, _LOWEST, dtype=np.float32)
    best[0] = 0
    piece_to, came_from = np.empty((2, count + 1), dtype=np.int32)
    for first in range(count):
        score = best[first] + np.float32(pieces.unknown_score)
        if score > best[first + 1]:
            best[first + 1], piece_to[first + 1], came_from[first + 1] = score, pieces.unknown, first
        begin, key = characters[first], _HASH_START
        for end in range(first + 1, count + 1):
            if characters[end] - begin > pieces.longest:
                break
            for place in range(characters[end - 1], characters[end]):
                key = (key ^ np.uint64(content[place])) * _HASH_FACTOR
            piece = find_piece(pieces, key, content, begin, characters[end])
            if piece >= 0 and piece != pieces.unknown and best[first] + pieces.scores[piece] > best[end]:
                best[end] = best[first] + pieces.scores[piece]
                piece_to[end], came_from[end] = piece, first
    written, end = 0, count
    while end > 0:
        found[written] = piece_to[end]
        written += 1
        end = came_from[end]
    return written


@_compiled
def quantise_rows(rows: Float32, quantised: Int8, scales: Float32) -> None:
    """Write each row as signed bytes and the scale that turns them back: rows ≈ quantised · scales."""
    for row in range(rows.shape[0]):
        largest = np.float32(1e-9)
        for column in range(rows.shape[1]):
            largest = max(largest, abs(rows[row, column]))
        scales[row] = largest / np.float32(127)
        factor = np.float32(127) / largest
        for column in range(rows.shape[1]):
            quantised[row, column] = np.int8(np.rint(rows[row, column] * factor))


@_compiled
def scale_sums(sums: Int32, rows: Float32, columns: Float32, bias: Float32, out: Float32) -> None:
    """out[r, c] = sums[r, c] · rows[r] · columns[c] + bias[c]."""
    for row in range(sums.shape[0]):
        for column in range(sums.shape[1]):
            out[row, column] = np.float32(sums[row, column]) * (rows[row] * columns[column]) + bias[column]


@_compiled
def apply_gelu(values: Float32) -> None:
    """Replace each value x by x · Φ(x), where Φ is the distribution function of the normal distribution.

    1 − Φ(|x|) is half of 1 / (1 + Σ a_i · (|x| / √2)^i)^16 by formula 7.1.28 of Abramowitz and Stegun (1964),
    wrong by less than 2e-7. The C library's function takes ten times as long.
    """
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            value = values[row, column]
            size = abs(value) * _ROOT_HALF
            power = _TAIL[6]
            power = power * size + _TAIL[5]
            power = power * size + _TAIL[4]
            power = power * size + _TAIL[3]
            power = power * size + _TAIL[2]
            power = power * size + _TAIL[1]
            power = power * size + _TAIL[0]
            power *= power
            power *= power
            power *= power
            power *= power
            beyond = np.float32(0.5) / power
            values[row, column] = value * (beyond if value < 0 else np.float32(1) - beyond)


@_compiled
def attend(parts: Float32, heads: int, mixed: Float32) -> None:
    """Write for each token and head the mean of the values of all tokens, weighted by the attention to them.

    Args:
        parts: (tokens, 3 · width) Queries, keys and values, each split among the heads.
        heads: Number of heads.
        mixed: (tokens, width) Where the result is written.
    """
    tokens, width = mixed.shape
    depth = width // heads
    factor = np.float32(depth**-0.5)
    shares = np.empty(tokens, dtype=np.float32)
    mixed[:] = 0
    for head in range(heads):
        first = head * depth
        for token in range(tokens):
            query, highest = parts[token, first : first + depth], _LOWEST
            for other in range(tokens):
                key, dot = parts[other, width + first : width + first + depth], np.float32(0)
                for place in range(depth):
                    dot += query[place] * key[place]
                shares[other] = dot * factor
                highest = max(highest, shares[other])
            total = np.float32(0)
            for other in range(tokens):
                shares[other] = np.float32(math.exp(shares[other] - highest))
                total += shares[other]
            for other in range(tokens):
                share = shares[other] / total
                value = parts[other, 2 * width + first : 2 * width + first + depth]
                for place in range(depth):
                    mixed[token, first + place] += share * value[place]


@_compiled
def add_and_normalise(values: Float32, added: Float32, gain: Float32, shift: Float32, epsilon: float) -> None:
    """Replace values by the layer norm of values + added, with the given gain and shift."""
    width = values.shape[1]
    for row in range(values.shape[0]):
        total = np.float32(0)
        for column in range(width):
            values[row, column] += added[row, column]
            total += values[row, column]
        mean, squares = total / np.float32(width), np.float32(0)
        for column in range(width):
            squares += (values[row, column] - mean) * (values[row, column] - mean)
        factor = np.float32(1 / math.sqrt(squares / width + epsilon))
        for column in range(width):
            values[row, column] = (values[row, column] - mean) * factor * gain[column] + shift[column]
