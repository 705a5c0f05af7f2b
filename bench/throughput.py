"""Measure searches per second on one connection and on eight, each with its own key and process."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from itertools import cycle
from multiprocessing.synchronize import Barrier
from typing import Final

from bench import texts
from bench.connection import Connection, Person, search_body
from bench.figures import Figure
from bench.stage import QUESTIONS_SEED, Stage, parser, play

CONNECTIONS: Final = (1, 8)
MEMORIES: Final = 10_000
OWN_MEMORIES: Final = 1_000
SECONDS: Final = 6.0
_QUESTIONS: Final = 40
_WARM_UP_SECONDS: Final = 120
_TARGET: Final = 300.0

Answer = tuple[int, list[float]]


def measure(stage: Stage, memories: int = MEMORIES, seconds: float = SECONDS) -> list[Figure]:
    """Return requests per second: several connections of one person, then each of a person of its own."""
    one = stage.filled(memories)
    figures = []
    for connections in CONNECTIONS:
        bare = rate(stage, [one] * connections, seconds, bare=True)
        searches = rate(stage, [one] * connections, seconds)
        name = f"searches at {memories:,}, {connections} connection{'s'[: connections - 1]}"
        least = _TARGET if connections == max(CONNECTIONS) else None
        figures.append(Figure(name, searches, "/s", bare, "/healthz", least=least))
    people = [_own(stage) for _ in range(max(CONNECTIONS))]
    name = f"searches at {OWN_MEMORIES:,}, {len(people)} people at once"
    return [*figures, Figure(name, rate(stage, people, seconds), "/s", bare, "/healthz")]


def rate(stage: Stage, people: Sequence[Person], seconds: float, *, bare: bool = False) -> float:
    """Return requests per second of as many processes as there are people, all starting together."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(len(people))
    with context.Pool(len(people), _prepare, (barrier,)) as pool:
        work = [(stage.site.url, person, seconds, number, bare) for number, person in enumerate(people)]
        answers: list[Answer] = pool.starmap(_work, work, chunksize=1)
    return sum(count for count, _ in answers) / seconds


_barrier: Barrier | None = None


def _prepare(barrier: Barrier) -> None:
    global _barrier  # noqa: PLW0603 - the pool's way to pass one on
    _barrier = barrier


def _work(url: str, person: Person, seconds: float, number: int, bare: bool) -> Answer:  # noqa: FBT001 - starmap
    """Send requests as fast as answers arrive, once all processes are ready."""
    bodies = [search_body(question) for question in texts.questions(_QUESTIONS, QUESTIONS_SEED + number)]
    with closing(Connection(url, person)) as connection:
        calls: list[Callable[[], bytes]] = [partial(connection.search, body) for body in bodies]
        if bare:
            calls = [partial(connection.get, "/healthz")]
        for call in calls:  # afterwards the sentence vector of each question is cached
            call()
        if _barrier is not None:
            _barrier.wait(_WARM_UP_SECONDS)
        return _count(calls, seconds)


def _count(calls: Sequence[Callable[[], bytes]], seconds: float) -> Answer:
    times: list[float] = []
    end = time.perf_counter() + seconds
    for call in cycle(calls):
        start = time.perf_counter()
        if start >= end:
            return len(times), times
        call()
        times.append((time.perf_counter() - start) * 1000)
    raise AssertionError("there is always something to ask")


def _own(stage: Stage) -> Person:
    person = stage.site.person()
    stage.fill(person, OWN_MEMORIES)
    stage.make_vectors(person)
    return person


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--memories", type=int, default=MEMORIES, help="of the person that all ask")
    options.add_argument("--seconds", type=float, default=SECONDS, help="of each measurement")
    chosen = options.parse_args()
    play(chosen, "Throughput", lambda stage: measure(stage, chosen.memories, chosen.seconds))


if __name__ == "__main__":
    main()
