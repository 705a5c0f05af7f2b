"""The same search again takes its ranking from the first, unless something changed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
import time_machine
from django.db.models import F
from django.utils import timezone

from memories.models import Ledger
from memories.retrieval import SearchQuery, search_memories
from memories.retrieval.ranking import rank_memories
from memories.retrieval.search import rankings
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.errors import ModelError


def _write(owner: User, *contents: str, **fields: Any) -> None:
    candidates = [Candidate(content, **fields) for content in contents]
    write_candidates(candidates, owner=owner.pk, actor="test")


def _found(owner: User, text: str, **fields: Any) -> list[str]:
    query = SearchQuery(text, **{"min_similarity": 0.0, **fields})
    return [hit.memory.content for hit in search_memories(query, owner=owner.pk).hits]


@pytest.fixture
def ranked(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Count the rankings that are made."""
    spy = Mock(side_effect=rank_memories)
    monkeypatch.setattr(rankings, "rank_memories", spy)
    return spy


@pytest.fixture(autouse=True)
def noon() -> Any:
    with time_machine.travel(timezone.now().replace(hour=12, minute=0, second=1), tick=False) as clock:
        yield clock


def test_same_search_and_its_next_page_are_ranked_once(alice: User, ranked: Mock) -> None:
    _write(alice, *(f"Kettle {number} is red." for number in range(8)))
    whole = _found(alice, "kettle", top_k=8, limit=4)
    assert _found(alice, "kettle", top_k=8, limit=4) == whole
    assert not set(whole) & set(_found(alice, "kettle", top_k=8, limit=4, offset=4))
    assert ranked.call_count == 1


@pytest.mark.parametrize(
    "other", [{"top_k": 3}, {"kinds": ("fact",)}, {"min_similarity": 0.5}, {"secondary": ("lamp",)}]
)
def test_other_search_for_the_same_words_is_ranked_anew(
    alice: User, ranked: Mock, other: dict[str, Any]
) -> None:
    _write(alice, "The kettle is red.", "The lamp is green.")
    _found(alice, "kettle")
    _found(alice, "kettle", **other)
    assert ranked.call_count > 1


def test_same_words_of_another_person_find_their_own(alice: User, bob: User) -> None:
    _write(alice, "The kettle is red.")
    _write(bob, "The kettle is blue.")
    assert _found(alice, "kettle") == ["The kettle is red."]
    assert _found(bob, "kettle") == ["The kettle is blue."]


def test_memory_that_ended_meanwhile_is_not_found_again(alice: User, noon: Any) -> None:
    _write(alice, "The kettle is lent out.", valid_until=timezone.now() + timedelta(seconds=5))
    assert _found(alice, "kettle") == ["The kettle is lent out."]
    noon.shift(6)
    assert _found(alice, "kettle") == []


def test_search_of_the_next_minute_is_ranked_anew(alice: User, ranked: Mock, noon: Any) -> None:
    _write(alice, "The kettle is red.")
    _found(alice, "kettle")
    noon.shift(60)
    assert _found(alice, "kettle") == ["The kettle is red."]
    assert ranked.call_count == 2


def test_hidden_memory_is_not_found_again(alice: User) -> None:
    _write(alice, "The kettle is red.", "The other kettle is blue.")
    query = SearchQuery("kettle", min_similarity=0.0)
    first, second = search_memories(query, owner=alice.pk).hits
    rest = search_memories(query, owner=alice.pk, hidden=frozenset({first.memory.pk})).hits
    assert [hit.memory.pk for hit in rest] == [second.memory.pk]


def test_what_is_written_meanwhile_is_found(alice: User) -> None:
    _write(alice, "The kettle is red.")
    assert _found(alice, "kettle") == ["The kettle is red."]
    _write(alice, "The other kettle is blue.")
    assert set(_found(alice, "kettle")) == {"The kettle is red.", "The other kettle is blue."}


def test_change_that_leaves_the_index_as_it_is_counts_too(alice: User, ranked: Mock) -> None:
    _write(alice, "The kettle is red.")
    _found(alice, "kettle")
    Ledger.objects.filter(owner_id=alice.pk).update(index_version=F("index_version") + 1)
    _found(alice, "kettle")
    assert ranked.call_count == 2


def test_secret_of_a_query_is_not_part_of_what_is_kept(alice: User, ranked: Mock) -> None:
    _write(alice, "The kettle is red.")
    for letter in "ab":
        _found(alice, "kettle sk-proj-" + letter * 8 + "Zk3T9qLm2VxN7cR5")
    assert ranked.call_count == 1


def test_large_ranking_is_made_anew(alice: User, ranked: Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "_LARGEST", 16_000)
    _write(alice, *(f"Kettle {number} is red." for number in range(30)))
    for _ in range(2):
        _found(alice, "kettle", top_k=5)
        _found(alice, "kettle", top_k=20)
    assert ranked.call_count == 3


def test_query_that_could_not_be_embedded_is_ranked_anew(
    alice: User, ranked: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(alice, "The kettle is red.")
    with monkeypatch.context() as broken:
        broken.setattr(rankings, "probes_of", Mock(side_effect=ModelError("The model is down.")))
        assert _found(alice, "kettle") == ["The kettle is red."]
    _found(alice, "kettle")
    assert ranked.call_count == 2


def test_least_recent_rankings_are_dropped(
    alice: User, ranked: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "_MOST_BYTES", 11_000)  # two of them
    _write(alice, "The kettle is red.")
    for words in ("kettle", "lamp", "carpet", "kettle"):
        _found(alice, words)
    assert ranked.call_count == 4
