"""Measure the disk space of a thousand memories: rows, indexes and TOAST, before and after VACUUM."""

from __future__ import annotations

from typing import Any, Final

import psycopg

from bench.figures import Figure
from bench.stage import Stage, parser, play
from bench.yardsticks import DIMENSIONS

MEMORIES: Final = 10_000
_TARGET: Final = 4.0
_MB: Final = 1024 * 1024
_LARGEST: Final = 4
#: A vector of 16-bit floats with its header, and an average text: the minimum to store.
_LEAST_BYTES: Final = 2 * DIMENSIONS + 8 + 80

_SIZES = """
SELECT relname, pg_table_size(relid), pg_indexes_size(relid)
FROM pg_stat_user_tables WHERE schemaname = 'public'
"""

Sizes = dict[str, tuple[int, int]]


def measure(stage: Stage, memories: int = MEMORIES) -> list[Figure]:
    """Return MB per thousand memories, and the largest tables; nothing if the database is out of reach."""
    with stage.database() as database:
        if database is None:
            print("disk: left out, for the database of --url is not known here")
            return []
        before = _sizes(database)
        stage.fill(stage.site.person(), memories)
        written = _growth(before, _sizes(database))
        database.execute("VACUUM")
        swept = _growth(before, _sizes(database))
    return _figures(written, swept, memories)


def _figures(written: Sizes, swept: Sizes, memories: int) -> list[Figure]:
    def per_thousand(size: int) -> float:
        return size / _MB / memories * 1000

    least = per_thousand(_LEAST_BYTES * memories)
    figures = [
        Figure("1,000 memories as written", per_thousand(_total(written)), "MB", least, "vector + text"),
        Figure(
            "1,000 memories after VACUUM", per_thousand(_total(swept)), "MB", least, "vector + text", _TARGET
        ),
    ]
    largest = sorted(swept, key=lambda table: -sum(swept[table]))[:_LARGEST]
    for table in largest:
        rows, indexes = swept[table]
        figures.append(Figure(f"  {table}: rows", per_thousand(rows), "MB"))
        figures.append(Figure(f"  {table}: indexes", per_thousand(indexes), "MB"))
    return figures


def _sizes(database: psycopg.Connection[Any]) -> Sizes:
    """Return (bytes of rows, bytes of indexes) of each table."""
    return {name: (rows, indexes) for name, rows, indexes in database.execute(_SIZES)}


def _growth(before: Sizes, after: Sizes) -> Sizes:
    return {
        name: (rows - before.get(name, (0, 0))[0], indexes - before.get(name, (0, 0))[1])
        for name, (rows, indexes) in after.items()
    }


def _total(sizes: Sizes) -> int:
    return sum(rows + indexes for rows, indexes in sizes.values())


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--memories", type=int, default=MEMORIES)
    chosen = options.parse_args()
    play(chosen, "Disk", lambda stage: measure(stage, chosen.memories))


if __name__ == "__main__":
    main()
