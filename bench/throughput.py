"""Measure searches per second on one connection and on eight, each with its own key and process.

The sentence vectors of all questions are cached. Of a search that was made before, so is the ranking.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from enum import Enum, auto
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
#: New searches for each question, which follow each other. A process makes fewer than these in its seconds.
_NEW_SEARCHES: Final = 50
_WARM_UP_SECONDS: Final = 120
_TARGET: Final = 300.0

Answer = tuple[int, list[float]]


class Request(Enum):
    """What is sent: the same 40 searches again and again, 40 questions as new searches, or a bare request."""

    AGAIN = auto()
    NEW = auto()
    BARE = auto()


def measure(stage: Stage, memories: int = MEMORIES, seconds: float = SECONDS) -> list[Figure]:
    """Return requests per second: several connections of one person, then each of a person of its own."""
    one = stage.filled(memories)
    figures = []
    for connections in CONNECTIONS:
        bare = rate(stage, [one] * connections, seconds, Request.BARE)
        for kind, what in ((Request.NEW, "new searches"), (Request.AGAIN, "searches made before")):
            searches = rate(stage, [one] * connections, seconds, kind)
            name = f"{what} at {memories:,}, {connections} connection{'s'[: connections - 1]}"
            least = _TARGET if connections == max(CONNECTIONS) else None
            figures.append(Figure(name, searches, "/s", bare, "/healthz", least=least))
    people = [_own(stage) for _ in range(max(CONNECTIONS))]
    name = f"new searches at {OWN_MEMORIES:,}, {len(people)} people at once"
    return [*figures, Figure(name, rate(stage, people, seconds, Request.NEW), "/s", bare, "/healthz")]


def rate(stage: Stage, people: Sequence[Person], seconds: float, kind: Request) -> float:
    """Return requests per second of as many processes as there are people, all starting together."""
    first = 1 + _NEW_SEARCHES * len(people)  # so that no search of an earlier measurement is made again
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(len(people))
    with context.Pool(len(people), _prepare, (barrier,)) as pool:
        work = [(stage.site.url, person, seconds, seed, kind, first) for seed, person in enumerate(people)]
        answers: list[Answer] = pool.starmap(_work, work, chunksize=1)
    return sum(count for count, _ in answers) / seconds


_barrier: Barrier | None = None


def _prepare(barrier: Barrier) -> None:
    global _barrier  # noqa: PLW0603 - the pool's way to pass one on
    _barrier = barrier


def _work(url: str, person: Person, seconds: float, seed: int, kind: Request, first: int) -> Answer:
    """Send requests as fast as answers arrive, once all processes are ready."""
    questions = texts.questions(_QUESTIONS, QUESTIONS_SEED + seed)
    numbers = range(first, first + _NEW_SEARCHES) if kind == Request.NEW else range(1)
    with closing(Connection(url, person)) as connection:
        for question in questions:  # afterwards the sentence vector of each question is cached
            connection.search(search_body(question))
        calls: list[Callable[[], bytes]] = [
            partial(connection.search, search_body(question, number=number))
            for number in numbers
            for question in questions
        ]
        if kind == Request.BARE:
            calls = [partial(connection.get, "/healthz")]
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
