"""Search through the engine's door."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memories.retrieval.index.index import OwnerIndex
from memories.retrieval.query.query import parse_query
from memories.retrieval.ranking import RankedMemories, rank_memories
from memories.retrieval.signals.signals import Probe
from tests.memories.retrieval.conftest import Build
from tests.memories.retrieval.memos import NOW, Memo, rows_of

Ask = Callable[..., RankedMemories]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_small_store_gives_all_it_has(build: Build, ask: Ask, count: int) -> None:
    index = build([f"note number {place}" for place in range(count)])
    assert len(ask(index, "which note?", top=5).rows) == count


@pytest.mark.parametrize("text", ["", "???", "the of and", "\n", "的了吗"])
def test_query_without_content_still_gives_exactly_top(build: Build, ask: Ask, text: str) -> None:
    index = build(["tea", "coffee", "milk"])
    assert len(ask(index, text, top=2).rows) == 2


def test_only_rows_the_mask_lets_answer(build: Build, ask: Ask) -> None:
    index = build(["I like tea", "I like green tea", "I like black tea"])
    ranked = ask(index, "which tea do I like", mask=np.array([False, True, False]))
    assert ranked.rows.tolist() == [1]
    assert ranked.total == 1


def test_words_alone_answer_when_nothing_was_embedded(build: Build, ask: Ask) -> None:
    index = build(["my bicycle is red", "the meeting is on Monday", "we eat at seven"])
    assert ask(index, "what colour is the bicycle", words_only=True).rows[0] == 0


def test_row_not_embedded_yet_is_found_by_words(build: Build, ask: Ask) -> None:
    late = rows_of([Memo("the cellar key hangs behind the boiler", id="late")], embedder=None)
    index = build(["my bicycle is red", "we eat at seven"]).extend(late)
    assert index is not None
    assert ask(index, "where hangs the cellar key").ids[0] == "late"


def test_slip_of_the_pen_finds_the_word(build: Build, ask: Ask) -> None:
    index = build(["pottery classes start in May", "my bicycle is red", "we eat at seven"])
    assert ask(index, "when are potery classes", words_only=True).rows[0] == 0


def test_speaker_named_is_preferred(build: Build, ask: Ask) -> None:
    said = [("Ana", "I love swimming in the lake"), ("Ben", "I love swimming in the sea")]
    index = build([Memo(text, layer="episodic", speaker=name, session="s") for name, text in said])
    assert ask(index, "Where does Ben love to swim?").rows[0] == 1


def test_fact_about_the_person_named_is_preferred(build: Build, ask: Ask) -> None:
    talk = [Memo("hello there", layer="episodic", speaker=name, session="s") for name in ("Ana", "Ben")]
    index = build([*talk, Memo("Ana lives in Oslo"), Memo("Ben lives in Turin")])
    assert ask(index, "Where does Ben live?").rows[0] == 3


def test_answer_inherits_its_question(build: Build, ask: Ask) -> None:
    talk = [
        "What a lovely evening",
        "Which instrument does your daughter play?",
        "She has been at it for two years now, and loves it",
        "I have to go and cook some rice for everybody",
    ]
    index = build([Memo(text, layer="episodic", session="s") for text in talk])
    assert 2 in ask(index, "What instrument does the daughter play?", top=2).rows


def test_time_asked_about_is_preferred(build: Build, ask: Ask) -> None:
    days = [datetime(2025, 3, 4, tzinfo=UTC), datetime(2025, 8, 4, tzinfo=UTC)]
    index = build([Memo("we went hiking in the hills", occurred=day) for day in days])
    assert ask(index, "Where did we go hiking in August 2025?").rows[0] == 1


def test_relation_is_reached_through_what_the_query_names(build: Build, ask: Ask) -> None:
    memos = [
        Memo("Dora heads the lab", entities=("Dora", "the lab")),
        Memo("It burns wood", entities=("stove",)),
        Memo("The lab sits in Lyon", entities=("the lab", "Lyon")),
    ]
    ranked = ask(build(memos), "Dora", top=3)
    assert ranked.rows.tolist() == [0, 2, 1]
    assert ranked.breakdown["graph"][1] > ranked.breakdown["graph"][2]


def test_recent_one_of_two_equals_comes_first(build: Build, ask: Ask) -> None:
    old = Memo("the spare key is under the mat", used=NOW - timedelta(days=200))
    index = build([old, Memo("the spare key is under the mat")])
    assert ask(index, "where is the spare key").rows.tolist() == [1, 0]


def test_equals_come_in_the_same_order_however_rows_were_loaded(build: Build, ask: Ask) -> None:
    memos = [Memo(f"Nadia keeps {many} spare keys in the hall", id=many) for many in range(100, 150)]
    orders = []
    for seed in range(4):
        random.Random(seed).shuffle(memos)  # noqa: S311 - nothing secret
        orders.append(ask(build(memos), "where are the spare keys", top=10).ids)
    assert len(set(orders)) == 1


def test_no_prior_lifts_a_far_less_relevant_memory(build: Build, ask: Ask) -> None:
    answer = Memo("my passport number is X4471", used=NOW - timedelta(days=900), importance=0.0)
    praised = Memo("bread rises well", layer="procedural", kind="habit", importance=1.0, accesses=500)
    ranked = ask(build([answer, praised]), "what is my passport number")
    assert ranked.rows[0] == 0


def test_breakdown_has_every_part_for_every_hit(build: Build, ask: Ask) -> None:
    ranked = ask(build(["tea", "coffee"]), "tea")
    expected = {"similarity", "keyword", "graph", "structure", "time", "recency", "frequency"}
    assert set(ranked.breakdown) == expected | {"outdated", "replaces"}
    assert all(len(values) == len(ranked.rows) for values in ranked.breakdown.values())


def test_stored_vectors_rank_where_the_embedder_has_no_tokens() -> None:
    vectors = np.eye(3, 8, dtype=np.float32)
    memos = [Memo("alpha"), Memo("beta"), Memo("gamma")]
    index = OwnerIndex.build(rows_of(memos, None, vectors), None)
    query = parse_query("something else", (), NOW)
    ranked = rank_memories(index, query, Probe(vector=vectors[1]), np.ones(3, dtype=bool), NOW, top=3)
    assert ranked.rows[0] == 1
