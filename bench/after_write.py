"""Measure how much slower a search is right after a write."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from itertools import islice
from typing import Final

from bench import texts
from bench.clock import milliseconds, p50
from bench.connection import encoded, search_body
from bench.figures import Figure
from bench.stage import MEMORIES_SEED, QUESTIONS_SEED, Stage, parser, play

SIZES: Final = (10_000, 100_000)
WRITES: Final = 100
_WARM_UP: Final = 20
_MOST_RATIO: Final = 1.2


def measure(stage: Stage, sizes: tuple[int, ...] = SIZES, writes: int = WRITES) -> list[Figure]:
    """Return search p50 right after a memory was added, and of the same search without a write."""
    return [_figure(size, *_times(stage, size, writes)) for size in sizes]


def _figure(size: int, after: list[float], without: list[float]) -> Figure:
    plain = p50(without)
    name = f"search after a write at {size:,}, p50"
    return Figure(name, p50(after), "ms", plain, "without", most=plain * _MOST_RATIO)


def _times(stage: Stage, size: int, writes: int) -> tuple[list[float], list[float]]:
    """Return milliseconds of each question asked after a write, and of the same question asked again."""
    person = stage.filled(size)
    questions = [search_body(one) for one in texts.questions(writes + _WARM_UP, QUESTIONS_SEED)]
    # Made before the connection, which a server closes if nothing is sent for long.
    contents = list(islice(texts.memories(size + 50_000 + writes, MEMORIES_SEED), size + 50_000, None))
    after, without = [], []
    with closing(stage.connect(person)) as connection:
        for body in questions:
            connection.search(body)  # warm up, so that the products of its words are cached both times
        for body, content in stage.bar(
            list(zip(questions, contents, strict=False)), "searching after writes"
        ):
            connection.post("/api/memories", encoded({"content": content}))
            after.append(milliseconds(partial(connection.search, body)))
            connection.get("/healthz")
            without.append(milliseconds(partial(connection.search, body)))
    return after, without


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--sizes", default=",".join(map(str, SIZES)), help="memories of one owner")
    options.add_argument("--writes", type=int, default=WRITES)
    chosen = options.parse_args()
    sizes = tuple(int(size) for size in chosen.sizes.split(","))
    play(chosen, "Search after a write", lambda stage: measure(stage, sizes, chosen.writes))


if __name__ == "__main__":
    main()
