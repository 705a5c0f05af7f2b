"""A cache of dot products between query tokens and an owner's tokens. Questions share most of their words."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
KEPT: Final = 512  # query tokens
_FIRST_ROWS: Final = 16
_SPARE_SHARE: Final = 16


class Products:
    """One row of dot products for each of the last `KEPT` query tokens.

    A row is as long as the owner's token list was when the row was last used; a search completes the rows it
    needs. Not thread-safe: `search` ranks one query at a time.
    """

    def __init__(self) -> None:
        self._row: dict[int, int] = {}  # by query token, least recently used first
        self._values: Float32 = np.empty((0, 0), dtype=np.float32)
        self._filled: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def of(
        self, tokens: NDArray[np.uint32], space: Float32, keys: NDArray[np.uint32], own: Float32 | None
    ) -> Float32:
        """Return (len(tokens), len(keys)) dot products of distinct query tokens with the owner's tokens.

        Args:
            tokens: Distinct query tokens.
            space: (vocabulary, d) Vectors of all tokens.
            keys: The owner's tokens.
            own: (len(keys), d) Vectors of `keys`, if they are stored contiguously; None gathers them from
                `space`.
        """
        if tokens.size > KEPT:
            return np.asarray(space[tokens] @ (space[keys] if own is None else own).T)
        rows = self._rows_of(tokens.tolist(), keys.size)
        for start in np.unique(self._filled[rows]).tolist():
            if start < keys.size:
                vectors = space[keys[start:]] if own is None else own[start:]
                due = self._filled[rows] == start
                self._values[rows[due], start : keys.size] = space[tokens[due]] @ vectors.T
                self._filled[rows[due]] = keys.size
        products: Float32 = self._values[rows, : keys.size]
        return products

    def _rows_of(self, tokens: list[int], width: int) -> NDArray[np.int64]:
        """Return the row of each token.

        New tokens use free rows, then those of the least recently used tokens.
        """
        row_of = {token: row for token in tokens if (row := self._row.pop(token, None)) is not None}
        missing = [token for token in tokens if token not in row_of]
        while len(self._row) + len(tokens) > KEPT:
            self._row.pop(next(iter(self._row)))
        self._make_room(len(self._row) + len(tokens), width)
        taken = {*self._row.values(), *row_of.values()}
        free = (row for row in range(len(self._values)) if row not in taken)
        for token, row in zip(missing, free, strict=False):
            row_of[token] = row
            self._filled[row] = 0
        self._row |= {token: row_of[token] for token in tokens}
        return np.array([row_of[token] for token in tokens], dtype=np.int64)

    def _make_room(self, rows: int, width: int) -> None:
        held, wide = self._values.shape
        if rows <= held and width <= wide:
            return
        rows = held if rows <= held else min(max(2 * held, rows, _FIRST_ROWS), KEPT)
        width = wide if width <= wide else width + width // _SPARE_SHARE + _SPARE_SHARE
        values = np.empty((rows, width), dtype=np.float32)
        values[:held, :wide] = self._values
        self._values = values
        self._filled = np.append(self._filled, np.zeros(rows - held, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Memory use in bytes."""
        return self._values.nbytes + self._filled.nbytes
