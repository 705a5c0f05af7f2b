"""Measure how long it takes until what is written has its sentence vector, on an otherwise idle site."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Final

from bench import texts
from bench.clock import p50, p95
from bench.connection import Connection, encoded
from bench.figures import Figure
from bench.stage import MEMORIES_SEED, Stage, parser, play

WRITES: Final = 20
_PAUSE: Final = 2.0  # seconds between two writes
_LOOK_EVERY: Final = 0.05
_PATIENCE: Final = 120.0
_TARGET: Final = 5.0


def measure(stage: Stage, writes: int = WRITES) -> list[Figure]:
    """Return the seconds until a memory, and all that is learnt from a message, have their vectors."""
    person = stage.site.person()
    contents = list(texts.memories(2 * writes + 1, MEMORIES_SEED))
    with closing(stage.connect(person)) as connection:
        thread = json.loads(connection.post("/api/threads", encoded({})))["id"]

        def add(text: str) -> None:
            connection.post("/api/memories", encoded({"content": text}))

        def say(text: str) -> None:
            message = {"role": "user", "content": text}
            connection.post(f"/api/threads/{thread}/messages", encoded(message))

        _time_until_filled(connection, add, contents[0])  # the worker loads the model
        added = [
            _time_until_filled(connection, add, text)
            for text in stage.bar(contents[1 : writes + 1], "adding memories")
        ]
        learnt = [
            _time_until_filled(connection, say, text)
            for text in stage.bar(contents[writes + 1 :], "saying something")
        ]
    return [
        *_describe("a memory over the API", added),
        *_describe("what is learnt from a message", learnt),
    ]


def _time_until_filled(connection: Connection, write: Callable[[str], None], text: str) -> float:
    """Write a text, and return the seconds until there are more memories, all with a vector."""
    before, _ = _count(connection)
    start = time.perf_counter()
    write(text)
    while True:
        memories, missing = _count(connection)
        spent = time.perf_counter() - start
        if memories > before and not missing:
            time.sleep(_PAUSE)
            return spent
        if spent > _PATIENCE:
            raise SystemExit(f"{text!r} has no sentence vector after {spent:.0f} s.")
        time.sleep(_LOOK_EVERY)


def _count(connection: Connection) -> tuple[int, int]:
    """Return the number of memories, and of those without a sentence vector."""
    found = json.loads(connection.get("/api/memories/stats"))["sentence_vectors"]
    return found["filled"] + found["missing"], found["missing"]


def _describe(what: str, seconds: Iterable[float]) -> list[Figure]:
    times = list(seconds)
    name = f"sentence vector of {what}"
    return [
        Figure(f"{name}, p50", p50(times), "s"),
        Figure(f"{name}, p95", p95(times), "s", most=_TARGET),
    ]


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--writes", type=int, default=WRITES, help="of either kind")
    chosen = options.parse_args()
    play(chosen, "Filling in sentence vectors", lambda stage: measure(stage, chosen.writes))


if __name__ == "__main__":
    main()
