from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from memories.models import Memory
from memories.retrieval import Hit
from memories.retrieval.query import parse_query
from memories.tasks import fill_in_sentences
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from threads.conf import QUERY_CHARACTERS
from threads.context.recall.recall import (
    Moment,
    begin_recall,
    render_memory,
    shorten_query,
)
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


def test_general_question_gets_no_memory_and_a_personal_one_does(alice: User, settings: Any) -> None:
    settings.MEMSITE_EMBEDDING, settings.MEMSITE_EMBEDDING_BUDGET_MS = "local", 10_000
    settings.MEMSITE_CONTEXT_RECALL_MS = 10_000
    seen = Candidate("Ben and I saw the Mona Lisa in Paris.", layer=Layer.SEMANTIC, kind=Kind.FACT)
    write_candidates([seen], owner=alice.pk, actor="test")
    fill_in_sentences()
    found = [
        begin_recall(text, (), owner=alice.pk, thread_id=None, room=1_000, moment=Moment())()
        for text in ("How do glaciers form?", "What did I see in Paris?")
    ]
    assert [len(one.memories) for one in found] == [0, 1]
