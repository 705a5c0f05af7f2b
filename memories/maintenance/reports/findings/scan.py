"""Read an owner's learnt memories in one pass, by column, to find duplicates and contradictions in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memories.text import unpack_terms

#: The most memories read, the newest. If there are more, the report says that it is incomplete.
MOST_ROWS: Final = 100_000
#: The most bytes of vectors held at once. Rows that do not fit are not compared by vector.
MOST_VECTOR_BYTES: Final = 64 * 1024**2
#: Longer texts are neither merged nor searched for contradictions.
LONGEST_TEXT: Final = 2_000
_FETCHED: Final = 2_000

_ROWS: Final = """
SELECT m.id, m.layer || '/' || m.kind, m.terms, halfvec_send(e.vector)
FROM memories_memory AS m
LEFT JOIN memories_memoryembedding AS e
    ON e.owner_id = m.owner_id AND e.memory_id = m.id AND e.model = %(model)s
WHERE m.owner_id = %(owner)s AND m.layer <> 'episodic' AND m.status = 'active'
    AND char_length(m.content) <= %(longest)s
ORDER BY m.id DESC LIMIT %(most)s
"""
#: The header of halfvec_send: two int16 (dimensions, unused); big-endian float16 values follow.
_HEADER: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Active memories without episodes, newest first, as columns of equal length n.

    Attributes:
        groups: Layer and kind.
        terms: Hashed, as in the index.
        vectors: Shape (n, d); unit rows of the model in use, or zero rows without a vector.
        complete: Whether no memory and no vector was left out.
    """

    ids: Sequence[UUID]
    groups: Sequence[str]
    terms: Sequence[NDArray[np.uint32]]
    vectors: NDArray[np.float16]
    complete: bool

    def __len__(self) -> int:
        return len(self.ids)


def scan_memories(*, owner: UUID, model: str) -> Scan:
    """Read the owner's memories in one statement, fetched in parts, with at most about 100 MB.

    `model` is the name of the embedding model whose vectors are read.
    """
    reading = _ScanBuilder()
    parameters: dict[str, Any] = {
        "owner": owner,
        "model": model,
        "longest": LONGEST_TEXT,
        "most": MOST_ROWS + 1,
    }
    with connection.chunked_cursor() as cursor:
        cursor.execute(_ROWS, parameters)
        while rows := cursor.fetchmany(_FETCHED):
            reading.add(rows)
    return reading.scan()


class _ScanBuilder:
    """Collects rows. Vectors go into one array that grows by doubling, up to its limit."""

    def __init__(self) -> None:
        self._ids: list[UUID] = []
        self._groups: list[str] = []
        self._terms: list[NDArray[np.uint32]] = []
        self._vectors = np.zeros((0, 0), dtype=np.float16)
        self._complete = True

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add rows of the query."""
        for identifier, group, terms, vector in rows:
            if len(self._ids) == MOST_ROWS:
                self._complete = False
                return
            if vector is not None:
                self._place(np.frombuffer(bytes(vector), ">f2", offset=_HEADER))
            self._ids.append(identifier)
            self._groups.append(group)
            self._terms.append(unpack_terms(bytes(terms)))

    def _place(self, vector: NDArray[np.float16]) -> None:
        row = len(self._ids)
        if row >= len(self._vectors) and not self._grow(row, len(vector)):
            self._complete = False
            return
        if len(vector) == self._vectors.shape[1]:
            self._vectors[row] = vector

    def _grow(self, row: int, dimensions: int) -> bool:
        dimensions = self._vectors.shape[1] or dimensions
        most = MOST_VECTOR_BYTES // (2 * dimensions)
        size = min(max(2 * len(self._vectors), row + 1, _FETCHED), most)
        if size <= row:
            return False
        grown = np.zeros((size, dimensions), dtype=np.float16)
        if len(self._vectors):
            grown[: len(self._vectors)] = self._vectors
        self._vectors = grown
        return True

    def scan(self) -> Scan:
        """Return the rows added so far."""
        rows = len(self._ids)
        vectors = self._vectors[:rows]
        return Scan(self._ids, self._groups, self._terms, vectors, self._complete)
