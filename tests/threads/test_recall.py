from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from memories.models import Memory
from memories.retrieval.query import parse_query
from memories.retrieval.search import Hit
from threads.conf import QUERY_CHARACTERS
from threads.context.recall.recall import render_memory, shorten_query
from threads.visibility.provenance import make_reference


def hit(relevance: float = 0.9, **fields: Any) -> Hit:
    values: dict[str, Any] = {
        "layer": "semantic",
        "kind": "fact",
        "content": "Alice sails.",
        "importance": 0.5,
    } | fields
    return Hit(Memory(**values), relevance, relevance, {}, parse_query("", (), timezone.now()))


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
    assert render_memory(hit(**fields)).line == f"{heading} Alice sails."


def test_line_knows_the_messages_it_came_from() -> None:
    message, found = uuid4(), hit()
    found.memory.source_references = [make_reference(message), "document:7"]
    assert render_memory(found).sources == {message}


def test_long_query_keeps_its_beginning_and_its_end() -> None:
    short = shorten_query("first " + "x" * 10_000 + " last")
    assert len(short) == QUERY_CHARACTERS + 1
    assert short.startswith("first ")
    assert short.endswith(" last")
