"""Build an owner's index as the site does, and search it with or without the graph signal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from bench.graph.chains import Chain
from memories import conf
from memories.retrieval.query.query import parse_query
from memories.retrieval.ranking import rank_memories
from memories.retrieval.signals.signals import make_probe
from memories.retrieval.warming import index_of
from memsite.llm.embedding.local_embedding import LocalEmbedder


class Store:
    """Facts of one owner, written a day ago."""

    def __init__(self, statements: Sequence[str], *, now: datetime) -> None:
        self.statements, self.now = statements, now
        self.embedder = LocalEmbedder()
        self.index = index_of(statements, self.embedder, written=now - timedelta(days=1))

    def search(self, text: str, top: int, *, graph: bool) -> list[str]:
        """Return the statements found, best first; without `graph` its signal has weight 0."""
        query = parse_query(text, self.index.speakers, self.now)
        probe = make_probe(query.meaning, self.embedder)
        everything = np.ones(len(self.index), dtype=bool)
        weights = conf.TOKEN_WEIGHTS if graph else {**conf.TOKEN_WEIGHTS, "graph": 0.0}
        ranked = rank_memories(self.index, query, probe, everything, self.now, top=top, weights=weights)
        return [self.statements[row] for row in ranked.rows]


def mean_recall(store: Store, questions: Sequence[Chain], k: int, *, graph: bool) -> float:
    """Return the mean share of each question's evidence among the first k, in [0, 1]."""
    shares = [
        len(set(one.evidence).intersection(store.search(one.question, k, graph=graph))) / one.hops
        for one in questions
    ]
    return float(np.mean(shares))
