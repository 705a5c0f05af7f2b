"""Plain operations to compare the site with: no service could be faster than these."""

from __future__ import annotations

from typing import Any

import numpy as np
import psycopg

from bench.clock import milliseconds

DIMENSIONS = 256

_SCAN = """
SELECT memory_id FROM memories_memoryembedding WHERE owner_id = %s ORDER BY vector <=> %s::halfvec LIMIT 10
"""
_ANY_VECTOR = "SELECT vector::text FROM memories_memoryembedding WHERE owner_id = %s LIMIT 1"


class Scan:
    """The ten nearest of one owner's stored vectors by plain SQL."""

    def __init__(self, database: psycopg.Connection[Any], owner: str) -> None:
        self._database, self._owner = database, owner
        found = database.execute(_ANY_VECTOR, [owner]).fetchone()
        self._vector = found[0] if found else ""

    def __call__(self) -> None:
        self._database.execute(_SCAN, [self._owner, self._vector]).fetchall()


class DotProduct:
    """The ten largest of so many dot products in this process."""

    def __init__(self, rows: int) -> None:
        random = np.random.default_rng(1)
        self._rows = random.standard_normal((rows, DIMENSIONS), dtype=np.float32)
        self._query = random.standard_normal(DIMENSIONS, dtype=np.float32)

    def __call__(self) -> None:
        scores = self._rows @ self._query
        np.argpartition(scores, -10)[-10:]


class Table:
    """A bare table with a text and a vector per row, in the same database; deleted by `drop`."""

    def __init__(self, database: psycopg.Connection[Any]) -> None:
        self._database = database
        self.drop()
        database.execute(
            "CREATE TABLE bench_yardstick"
            f" (id bigserial PRIMARY KEY, content text, vector halfvec({DIMENSIONS}))"
        )
        self._vector = str(np.linspace(-1, 1, DIMENSIONS).round(3).tolist())

    def insert(self, contents: list[str]) -> float:
        """Insert rows in one transaction; return milliseconds."""
        rows = [(content, self._vector) for content in contents]
        return milliseconds(lambda: self._insert(rows))

    def drop(self) -> None:
        """Delete the table."""
        self._database.execute("DROP TABLE IF EXISTS bench_yardstick")

    def _insert(self, rows: list[tuple[str, str]]) -> None:
        with self._database.transaction(), self._database.cursor() as cursor:
            cursor.executemany("INSERT INTO bench_yardstick (content, vector) VALUES (%s, %s)", rows)
