"""Small indexes to search, built from texts, with the default embedding model or with words alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memories.retrieval.index.index import OwnerIndex
from memories.retrieval.index.tokens import TokenSpace
from memories.retrieval.query.query import parse_query
from memories.retrieval.ranking import RankedMemories, rank_memories
from memories.retrieval.signals.signals import Probe, make_probe
from memsite.llm.embedding.local_embedding import LocalEmbedder
from tests.memories.retrieval.memos import NOW, Memo, rows_of

Build = Callable[[Sequence[Memo | str]], OwnerIndex]


@pytest.fixture(scope="session")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture(scope="session")
def space(embedder: LocalEmbedder) -> TokenSpace:
    return TokenSpace.of(embedder)


@pytest.fixture
def build(embedder: LocalEmbedder, space: TokenSpace) -> Build:
    def built(memos: Sequence[Memo | str]) -> OwnerIndex:
        stated = [Memo(memo) if isinstance(memo, str) else memo for memo in memos]
        return OwnerIndex.build(rows_of(stated, embedder), space)

    return built


@pytest.fixture
def ask(embedder: LocalEmbedder) -> Callable[..., RankedMemories]:
    def asked(
        index: OwnerIndex,
        text: str,
        *,
        top: int = 5,
        words_only: bool = False,
        mask: NDArray[np.bool_] | None = None,
    ) -> RankedMemories:
        query = parse_query(text, index.speakers, NOW)
        probe = Probe() if words_only else make_probe(query.meaning, embedder)
        eligible = np.ones(len(index), dtype=bool) if mask is None else mask
        return rank_memories(index, query, probe, eligible, NOW, top=top)

    return asked
