"""What an index is charged in the cache."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from uuid import UUID

import pytest

from memories.retrieval.cache.cache import IndexCache
from memories.retrieval.cache.state import load_recall_state
from memories.retrieval.ranking import RankedMemories
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.llm.embedding.local_embedding import LocalEmbedder
from tests.memories.retrieval.conftest import Build

TEXTS = [f"House {number} in street {number % 40} has {number % 9} red doors" for number in range(300)]


def test_small_owner_is_charged_little(build: Build) -> None:
    assert build(TEXTS).nbytes < 500_000


def test_large_index_is_charged_what_it_takes(build: Build) -> None:
    texts = [f"{text}, and {number % 977} blue windows" for number, text in enumerate(TEXTS * 10)]
    build(texts)  # what is kept of words and terms is kept now
    gc.collect()
    tracemalloc.start()
    index = build(texts)
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken <= index.nbytes <= 1.5 * taken


def test_index_is_charged_for_what_searches_add(build: Build, ask: Callable[..., RankedMemories]) -> None:
    index = build(TEXTS)
    before = index.nbytes
    for text in TEXTS[:60]:
        ask(index, text)
    assert before < index.nbytes < 3 * before


@pytest.fixture
def owners(alice: User, bob: User) -> list[UUID]:
    for owner in (alice, bob):
        write_candidates([Candidate(text) for text in TEXTS[:20]], owner=owner.pk, actor="test")
    return [alice.pk, bob.pk]


def test_least_recently_searched_owner_goes_first(owners: list[UUID], embedder: LocalEmbedder) -> None:
    cache = IndexCache(1)
    kept = [cache.index_of(owner, embedder, **_newest(owner)) for owner in owners]
    assert cache.index_of(owners[1], embedder, **_newest(owners[1])) is kept[1]
    assert cache.index_of(owners[0], embedder, **_newest(owners[0])) is not kept[0]


def _newest(owner: UUID) -> dict[str, int]:
    state = load_recall_state(owner=owner)
    return {"version": state.version, "epoch": state.epoch}
