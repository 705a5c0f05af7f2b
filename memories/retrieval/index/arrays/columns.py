"""Columns of repeated words, such as kinds and speakers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays.growing import Growing


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of repeated words, stored as codes (n,) into `names`. Every name occurs in some row."""

    _codes: Growing
    names: tuple[str, ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> Coded:
        """Encode words in order of first appearance."""
        code: dict[str, int] = {}
        codes = [code.setdefault(word, len(code)) for word in words]
        return cls(Growing.of(np.array(codes, dtype=np.int32)), tuple(code))

    def grown(self, words: Sequence[str]) -> Coded:
        """Return the column with rows added."""
        code = {name: place for place, name in enumerate(self.names)}
        codes = [code.setdefault(word, len(code)) for word in words]
        return Coded(self._codes.grown(np.array(codes, dtype=np.int32)), tuple(code))

    def changed(self, at: NDArray[np.int64], words: Sequence[str]) -> Coded:
        """Return the column with other words in the rows `at`."""
        code = {name: place for place, name in enumerate(self.names)}
        codes = [code.setdefault(word, len(code)) for word in words]
        column = self._codes.changed(at, np.array(codes, dtype=np.int32))
        return self if column is self._codes else _with_used_names(Coded(column, tuple(code)))

    @property
    def codes(self) -> NDArray[np.int32]:
        """(n,) Position of each row's word in `names`."""
        return self._codes.values

    def mask(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Return (n,) whether each row has one of these words."""
        wanted = set(words)
        chosen = np.array([name in wanted for name in self.names], dtype=bool)
        return chosen[self.codes] if self.names else np.zeros(0, dtype=bool)

    @property
    def nbytes(self) -> int:
        """Memory use in bytes."""
        return self._codes.nbytes


def _with_used_names(column: Coded) -> Coded:
    """Drop names that no row holds any more."""
    used = np.bincount(column.codes, minlength=len(column.names)) > 0
    if used.all():
        return column
    codes = (np.cumsum(used) - 1).astype(np.int32)[column.codes]
    names = tuple(name for name, held in zip(column.names, used.tolist(), strict=True) if held)
    return Coded(Growing.of(codes), names)
