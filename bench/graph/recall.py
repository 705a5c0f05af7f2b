"""An owner's statements in an index as the site builds it, searched with the graph arm or without it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from bench.graph.chains import Chain
from memories import conf
from memories.candidates import LAYERS, SEMANTIC
from memories.naming.keys import pack_names
from memories.naming.stating import read
from memories.retrieval.analysis import analyse_many
from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import parse_query
from memories.retrieval.ranking import rank
from memories.retrieval.rows import IndexRows
from memories.retrieval.signals import probe_of
from memories.retrieval.vector import TokenSpace, pack_tokens
from memsite.llm.local_embedding import LocalEmbedder


class Store:
    """Facts of one owner, written a day ago."""

    def __init__(self, statements: Sequence[str], *, now: datetime) -> None:
        self.statements, self.now = statements, now
        self.embedder = LocalEmbedder()
        rows = _rows(statements, self.embedder, now - timedelta(days=1))
        self.index = OwnerIndex.build(rows, TokenSpace.of(self.embedder))

    def search(self, text: str, top: int, *, graph: bool) -> list[str]:
        """The statements found, best first; without the graph arm its signal weighs nothing."""
        query = parse_query(text, self.index.speakers, self.now)
        probe = probe_of(query.meaning, self.embedder)
        everything = np.ones(len(self.index), dtype=bool)
        weights = conf.TOKEN_WEIGHTS if graph else {**conf.TOKEN_WEIGHTS, "graph": 0.0}
        ranked = rank(self.index, query, probe, everything, self.now, top=top, weights=weights)
        return [self.statements[row] for row in ranked.rows]


def mean_recall(store: Store, questions: Sequence[Chain], k: int, *, graph: bool) -> float:
    """Mean share of each question's evidence among the first k, in [0, 1]."""
    shares = [
        len(set(one.evidence).intersection(store.search(one.question, k, graph=graph))) / one.hops
        for one in questions
    ]
    return float(np.mean(shares))


def _rows(statements: Sequence[str], embedder: LocalEmbedder, written: datetime) -> IndexRows:
    count, unknown = len(statements), np.full(len(statements), np.nan)
    moment = np.full(count, written.timestamp())
    read_texts = analyse_many(statements)
    return IndexRows(
        ids=list(range(count)),
        layer=np.full(count, LAYERS.index(SEMANTIC), dtype=np.uint8),
        kind=["fact"] * count,
        category=[""] * count,
        status=["active"] * count,
        speaker=[""] * count,
        session=[""] * count,
        position=np.zeros(count, dtype=np.int64),
        occurred_at=unknown,
        created_at=moment,
        last_used_at=moment,
        valid_from=unknown,
        valid_until=unknown,
        ended_at=unknown,
        retired_at=unknown,
        importance=np.full(count, 0.8, dtype=np.float32),
        confidence=np.full(count, 0.9, dtype=np.float32),
        access_count=np.zeros(count, dtype=np.int64),
        length=np.array([one.length for one in read_texts], dtype=np.int64),
        cues=np.array([one.cues for one in read_texts], dtype=np.int64),
        terms=[one.terms for one in read_texts],
        tokens=[pack_tokens(ids) for ids in embedder.token_ids(list(statements))],
        entities=[pack_names(read(text).names) for text in statements],
    )
