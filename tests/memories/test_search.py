"""Recall: exact for its owner, as new as the last commit, at most four statements."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from memories.curation import forget_memories
from memories.retrieval import SearchQuery, search_memories
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences

SUBJECTS = ["bees", "bread", "maps", "clocks", "rivers", "violins", "tents", "kites", "lamps", "shoes"]


def _write(owner: User, *contents: str, **fields: Any) -> list[UUID]:
    candidates = [Candidate(content, **fields) for content in contents]
    written = write_candidates(candidates, owner=owner.pk, actor="test")
    return [outcome.memory.pk for outcome in written.outcomes if outcome.memory]


def _found(owner: User, text: str, **fields: Any) -> list[str]:
    query = SearchQuery(text, **{"min_similarity": 0.0, **fields})
    return [hit.memory.content for hit in search_memories(query, owner=owner.pk).hits]


def _many(owner: User, count: int) -> None:
    _write(owner, *(f"Note {n}: the {SUBJECTS[n % 10]} of house {n} were mended." for n in range(count)))


@pytest.mark.parametrize("count", [1, 50, 500])
def test_search_takes_at_most_four_statements_at_any_size(alice: User, count: int) -> None:
    _many(alice, count)
    with CaptureQueriesContext(
        connection,
    ) as cold:
        _found(alice, "violins", tags=("x",))
    with CaptureQueriesContext(connection) as warm:
        _found(alice, "violins")
    assert len(cold) <= 4
    assert len(warm) <= 2


def test_exactly_top_k_come_back_without_a_threshold(alice: User) -> None:
    _many(alice, 30)
    assert len(_found(alice, "something else entirely", top_k=17)) == 17


def test_size_of_another_owner_changes_nothing(alice: User, bob: User) -> None:
    _many(alice, 40)
    alone = _found(alice, "the violins of house 15", top_k=10)
    _many(bob, 1000)
    assert _found(alice, "the violins of house 15", top_k=10) == alone


def test_write_is_found_by_the_very_next_search(alice: User) -> None:
    _write(alice, "The kettle is red.")
    _found(alice, "kettle")
    _write(alice, "The other kettle is blue.")
    assert set(_found(alice, "kettle")) == {"The kettle is red.", "The other kettle is blue."}


def test_forgotten_row_leaves_a_warm_index(alice: User) -> None:
    ids = _write(alice, "The kettle is red.", "The lamp is green.")
    _found(alice, "kettle")
    forget_memories(ids[:1], owner=alice.pk, actor="test")
    assert _found(alice, "kettle") == ["The lamp is green."]


@pytest.mark.django_db(transaction=True)
def test_write_of_another_process_is_found_at_once(alice: User) -> None:
    _write(alice, "The kettle is red.")
    assert _found(alice, "kettle") == ["The kettle is red."]
    database = settings.DATABASES["default"]
    script = (
        "import django; django.setup()\n"
        "from uuid import UUID\n"
        "from memories.values import Candidate\n"
        "from memories.writing.pipeline import write_candidates\n"
        "from memsite.serving.postgres import acting_for\n"
        f"owner = UUID('{alice.pk}')\n"
        "with acting_for(owner):\n"
        "    write_candidates([Candidate('The kettle was stolen.')], owner=owner, actor='test')\n"
    )
    options = {"host": database["HOST"], "port": database["PORT"], "user": database["USER"]}
    query = "&".join(f"{name}={value}" for name, value in options.items() if value)
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "memsite.settings",
        "DATABASE_URL": f"postgresql:///{connection.settings_dict['NAME']}?{query}",
    }
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, timeout=60)  # noqa: S603 - our own interpreter
    assert "The kettle was stolen." in _found(alice, "kettle")


def test_exact_identifier_is_found_whole_with_full_relevance(alice: User) -> None:
    _many(alice, 50)
    _write(alice, "The build failed with ERR_TLS_CERT_4711 on node-eu7.")
    hits = search_memories(SearchQuery("ERR_TLS_CERT_4711"), owner=alice.pk).hits
    assert hits[0].memory.content.startswith("The build failed")
    assert hits[0].relevance == 1.0


def test_unrelated_question_finds_nothing_over_the_thresholds(alice: User) -> None:
    _write(alice, "The kettle is red.", "The lamp is green.")
    result = search_memories(SearchQuery("How do I file a tax return in Norway?"), owner=alice.pk)
    assert result.hits == ()
    assert result.suggestion


def test_chinese_question_finds_its_memory(alice: User) -> None:
    _write(
        alice, "用户住在上海浦东。", "用户喜欢吃辣的火锅。", "用户的猫叫团子。", "项目用的是 PostgreSQL 18。"
    )
    assert _found(alice, "他的猫叫什么名字？")[0] == "用户的猫叫团子。"
    assert _found(alice, "喜欢吃什么？")[0] == "用户喜欢吃辣的火锅。"


def test_filters_hold(alice: User) -> None:
    _write(alice, "Red kettle.", kind="preference", tags=("kitchen",))
    _write(alice, "Blue kettle.", kind="fact", category="house")
    assert _found(alice, "kettle", kinds=("preference",)) == ["Red kettle."]
    assert _found(alice, "kettle", categories=("house",)) == ["Blue kettle."]
    assert _found(alice, "kettle", tags=("kitchen",)) == ["Red kettle."]


def test_time_range_keeps_what_occurred_in_it(alice: User) -> None:
    now = timezone.now()
    _write(
        alice,
        "We met last year.",
        layer="episodic",
        kind="conversation",
        occurred_at=now - timedelta(days=365),
    )
    _write(alice, "We met today.", layer="episodic", kind="conversation", occurred_at=now)
    assert _found(alice, "met", since=now - timedelta(days=1)) == ["We met today."]
    assert _found(alice, "met", until=now - timedelta(days=1)) == ["We met last year."]


def test_fact_of_the_future_does_not_answer_yet(alice: User) -> None:
    tomorrow = timezone.now() + timedelta(days=1)
    _write(alice, "Alice lives in Lisbon.", valid_from=tomorrow)
    assert _found(alice, "Where does Alice live?") == []
    assert _found(alice, "Where does Alice live?", as_of=tomorrow) == ["Alice lives in Lisbon."]


def test_hidden_memory_does_not_answer(alice: User) -> None:
    (memory_id,) = _write(alice, "The kettle is red.")
    query = SearchQuery("kettle", min_similarity=0.0)
    assert search_memories(query, owner=alice.pk, hidden=frozenset({memory_id})).hits == ()


def test_nothing_is_recalled_while_memory_is_off(alice: User) -> None:
    _write(alice, "The kettle is red.")
    set_preferences(alice.pk, memory_on=False)
    assert _found(alice, "kettle") == []


def test_what_only_the_secondary_query_finds_comes_last(alice: User) -> None:
    _write(alice, "The kettle is red.", "The lamp is green.", "The carpet is brown.")
    query = SearchQuery("kettle", secondary=("lamp",), top_k=1, limit=5, min_similarity=0.0)
    contents = [hit.memory.content for hit in search_memories(query, owner=alice.pk).hits]
    assert contents == ["The kettle is red.", "The lamp is green."]


def test_page_within_the_ranked(alice: User) -> None:
    _many(alice, 20)
    whole = _found(alice, "violins", top_k=10)
    assert _found(alice, "violins", top_k=10, limit=4, offset=3) == whole[3:7]


def test_breakdown_names_every_part(alice_api: APIClient, alice: User) -> None:
    _write(alice, "The kettle is red.")
    hit = alice_api.post("/api/memories/search", {"query": "kettle"}).json()["memories"][0]
    assert set(hit["score_breakdown"]) == {
        "similarity", "keyword", "graph", "structure", "time", "recency", "frequency", "outdated",
        "replaces",
    }  # fmt: skip
    assert 0 <= hit["relevance"] <= 1
    assert hit["why"]
    assert all(np.isfinite(value) for value in hit["score_breakdown"].values())
