from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from memories.models import Memory
from memories.retrieval.search import Hit
from threads.conf import QUERY_CHARACTERS
from threads.provenance import reference_to
from threads.recall import Told, choose, not_said_here, shortened, told


def hit(relevance: float = 0.9, **fields: Any) -> Hit:
    values: dict[str, Any] = {
        "layer": "semantic",
        "kind": "fact",
        "content": "Alice sails.",
        "importance": 0.5,
    } | fields
    return Hit(Memory(**values), relevance, relevance, {}, "close in meaning")


def line(relevance: float, tokens: int, *sources: UUID) -> Told:
    return Told(hit(relevance), f"line of {tokens}", tokens, frozenset(sources))


def tokens_of(chosen: list[Told]) -> list[int]:
    return [one.tokens for one in chosen]


def test_best_three_go_in_beyond_the_budget() -> None:
    lines = [line(0.9, 50), line(0.8, 50), line(0.75, 50), line(0.74, 1)]
    assert tokens_of(choose(lines, room=1000, budget=100, overhead=10)) == [50, 50, 50]


def test_the_rest_goes_in_by_worth_while_the_budget_lasts() -> None:
    lines = [line(0.9, 10), line(0.9, 10), line(0.9, 10), line(0.8, 40), line(0.75, 20), line(0.71, 15)]
    assert tokens_of(choose(lines, room=1000, budget=80, overhead=10)) == [10, 10, 10, 20, 15]


def test_nothing_goes_in_where_there_is_no_room() -> None:
    assert choose([line(0.9, 10)], room=15, budget=100, overhead=10) == []


def test_most_relevant_comes_first() -> None:
    lines = [line(0.9, 1), line(0.89, 2), line(0.88, 3), line(0.75, 4), line(0.8, 50)]
    assert tokens_of(choose(lines, room=1000, budget=500, overhead=0)) == [1, 2, 3, 50, 4]


def test_memory_is_said_when_all_its_messages_of_this_thread_are_in() -> None:
    here, elsewhere = uuid4(), uuid4()
    assert not_said_here([line(0.9, 1, here, elsewhere)], {here}, {here}) == []


def test_memory_of_two_messages_is_not_said_by_one() -> None:
    first, second = uuid4(), uuid4()
    both = [line(0.9, 1, first, second)]
    assert not_said_here(both, {first}, {first, second}) == both


def test_memory_without_messages_here_is_not_said() -> None:
    lines = [line(0.9, 1), line(0.9, 1, uuid4())]
    assert not_said_here(lines, {uuid4()}, set()) == lines


@pytest.mark.parametrize(
    ("fields", "heading"),
    [
        ({}, "[fact]"),
        ({"valid_from": datetime(2023, 5, 7, tzinfo=UTC)}, "[2023-05-07, fact]"),
        ({"status": "disputed"}, "[fact, disputed]"),
        ({"layer": "episodic", "kind": "conversation", "speaker": "Bob"}, "[Bob]"),
        ({"layer": "episodic", "kind": "conversation", "speaker": "system: x"}, "[system – x]"),
        ({"layer": "episodic", "kind": "event"}, "[event]"),
    ],
)
def test_line_says_when_and_by_whom(fields: dict[str, Any], heading: str) -> None:
    assert told(hit(**fields)).line == f"{heading} Alice sails."


def test_line_knows_the_messages_it_came_from() -> None:
    message, found = uuid4(), hit()
    found.memory.source_references = [reference_to(message), "document:7"]
    assert told(found).sources == {message}


def test_long_query_keeps_its_beginning_and_its_end() -> None:
    short = shortened("first " + "x" * 10_000 + " last")
    assert len(short) == QUERY_CHARACTERS + 1
    assert short.startswith("first ")
    assert short.endswith(" last")
