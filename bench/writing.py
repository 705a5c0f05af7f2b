"""Measure how fast memories are written: a thousand at a time, and one by one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Final

from bench import texts
from bench.clock import milliseconds, p50, p95
from bench.connection import BATCH, Person, encoded
from bench.figures import Figure
from bench.stage import MEMORIES_SEED, Stage, parser, play
from bench.yardsticks import Table

BATCHES: Final = 5
SINGLES: Final = 100
BESIDE: Final = 10_000
_TARGET: Final = 2_000.0


def measure(stage: Stage, beside: int = BESIDE) -> list[Figure]:
    """Return memories per second in batches and milliseconds of one, for a person with `beside` memories."""
    person = stage.filled(beside)
    seconds = stage.fill(person, BATCHES * BATCH, after=beside)
    after = beside + BATCHES * BATCH
    singles = _singles(stage, person, islice(texts.memories(after + SINGLES, MEMORIES_SEED), after, None))
    changing = _singles(stage, person, texts.changes(SINGLES, MEMORIES_SEED))
    plain_batches, plain_singles = _plain(stage)
    batch = BATCH / p50(seconds)
    plain = BATCH * 1000 / p50(plain_batches) if plain_batches else None
    alone = p50(plain_singles) if plain_singles else None
    return [
        Figure("batch add, memories", batch, "/s", plain, "bare INSERT", least=_TARGET),
        Figure("one memory, p50", p50(singles), "ms", alone, "bare INSERT"),
        Figure("one memory, p95", p95(singles), "ms"),
        Figure("one that may end another, p50", p50(changing), "ms", p50(singles), "one that may not"),
        Figure("one that may end another, p95", p95(changing), "ms", p95(singles), "one that may not"),
    ]


def _singles(stage: Stage, person: Person, contents: Iterable[str]) -> list[float]:
    bodies = [encoded({"content": text}) for text in contents]
    with closing(stage.connect(person)) as connection:
        return [
            milliseconds(partial(connection.post, "/api/memories", body))
            for body in stage.bar(bodies, "adding one by one")
        ]


def _plain(stage: Stage) -> tuple[list[float], list[float]]:
    """Write the same number of bare rows into the same database; nothing if it is out of reach."""
    with stage.database() as database:
        if database is None:
            return [], []
        rows = Table(database)
        try:
            contents = list(texts.memories(BATCHES * BATCH, MEMORIES_SEED))
            batches = [
                rows.insert(contents[start : start + BATCH]) for start in range(0, len(contents), BATCH)
            ]
            return batches, [rows.insert([content]) for content in contents[:SINGLES]]
        finally:
            rows.drop()


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--beside", type=int, default=BESIDE, help="memories that are there before")
    chosen = options.parse_args()
    play(chosen, "Writing", lambda stage: measure(stage, chosen.beside))


if __name__ == "__main__":
    main()
