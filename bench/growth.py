"""Measure whether latency grows with owners and memories, and whether a large owner affects a small one."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Any, Final

from bench import texts
from bench.clock import milliseconds, p50
from bench.connection import Person, search_body
from bench.figures import Figure
from bench.stage import MEMORIES_SEED, QUESTIONS_SEED, Stage, parser, play

SMALL: Final = 1_000
LARGE: Final = 100_000
FEW: Final = 10
MANY: Final = 1_000
EACH: Final = 50
SEARCHES: Final = 200
_COMPARED: Final = 100
_MOST_GROWTH: Final = 1.5

Answers = list[list[str]]


def measure(stage: Stage, large: int = LARGE, many: int = MANY, each: int = EACH) -> list[Figure]:
    """Return ratios of p50, and the share of a small owner's searches that a large owner does not change."""
    alone = _answers(stage, stage.filled(SMALL))
    return [*_owners(stage, many, each), *_memories(stage, large), *_compare_beside(stage, large, alone)]


def _owners(stage: Stage, many: int, each: int) -> list[Figure]:
    """Search for the same ten people before and after others are added; then measure first searches."""
    people = [_somebody(stage, each, number) for number in range(FEW)]
    stage.make_vectors(people[-1])
    few = _times(stage, people, SEARCHES)
    numbers = stage.bar(range(FEW, many), f"owners of {each}")
    others = [_somebody(stage, each, number) for number in numbers]
    stage.make_vectors(others[-1])
    again = _times(stage, people, SEARCHES)
    first = [_time_of_first(stage, person) for person in stage.bar(others[:SEARCHES], "first searches")]
    before, against = p50(few), f"beside {FEW - 1} others"
    return [
        Figure(
            f"search beside {many - 1} others, p50", p50(again), "ms", before, against, before * _MOST_GROWTH
        ),
        Figure("first search of an owner, p50", p50(first), "ms", before, against),
    ]


def _memories(stage: Stage, large: int) -> list[Figure]:
    """Search in turns for one person with few memories and one with many."""
    people = [stage.filled(SMALL), stage.filled(large)]
    times = _times(stage, people, 2 * SEARCHES)
    small, big = p50(times[0::2]), p50(times[1::2])
    return [Figure(f"search at {large:,}, p50", big, "ms", small, f"at {SMALL:,}")]


def _compare_beside(stage: Stage, large: int, alone: Answers) -> list[Figure]:
    """Compare an owner's answers alone with those of an owner with the same 1,000 beside one of 100,000."""
    stage.filled(large)
    beside = _answers(stage, stage.filled(SMALL))
    same = sum(before == after for before, after in zip(alone, beside, strict=True))
    whole = sum(len(one) == 10 for one in beside)
    share = 100 / len(beside)
    return [
        Figure(f"same top 10 beside {large:,}", same * share, "%", least=100.0),
        Figure("10 of 10 came back", whole * share, "%", least=100.0),
    ]


def _somebody(stage: Stage, memories: int, number: int) -> Person:
    person = stage.site.end_user()
    contents = texts.memories(memories, MEMORIES_SEED + 100 + number)
    with closing(stage.connect(person)) as connection:
        connection.add([{"content": text} for text in contents])
    return person


def _times(stage: Stage, people: Sequence[Person], searches: int) -> list[float]:
    """Return milliseconds of searches by all people in turns, after a few warm-up searches of each."""
    bodies = [search_body(question) for question in texts.questions(searches, QUESTIONS_SEED)]
    connections = [stage.connect(person) for person in people]
    for connection in connections:
        for body in bodies[:8]:  # enough to reach every web process
            connection.search(body)
    times = [
        milliseconds(partial(connections[at % len(people)].search, body))
        for at, body in enumerate(stage.bar(bodies, f"searching, {len(people)} people"))
    ]
    for connection in connections:
        connection.close()
    return times


def _time_of_first(stage: Stage, person: Person) -> float:
    with closing(stage.connect(person)) as connection:
        connection.get("/healthz")
        return milliseconds(lambda: connection.search(search_body("Who keeps a greyhound in Lisbon?")))


def _answers(stage: Stage, person: Person) -> Answers:
    """Return the contents of the top 10 for each of a hundred questions about this person's memories."""
    stored = list(texts.memories(SMALL, MEMORIES_SEED))
    chosen = random.Random(QUESTIONS_SEED).sample(stored, _COMPARED // 2)  # noqa: S311 - nothing secret
    questions = [*texts.questions(_COMPARED - len(chosen), QUESTIONS_SEED), *chosen]
    with closing(stage.connect(person)) as connection:
        return [_contents(connection.search(search_body(one))) for one in questions]


def _contents(answer: bytes) -> list[str]:
    found: list[dict[str, Any]] = json.loads(answer)["memories"]
    return [memory["content"] for memory in found]


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--large", type=int, default=LARGE, help="memories of the large owner")
    options.add_argument("--owners", type=int, default=MANY)
    options.add_argument("--each", type=int, default=EACH, help="memories of each of them")
    chosen = options.parse_args()
    play(chosen, "Growth", lambda stage: measure(stage, chosen.large, chosen.owners, chosen.each))


if __name__ == "__main__":
    main()
