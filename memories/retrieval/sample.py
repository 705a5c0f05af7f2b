"""Build an index from texts without a database, for warming up and for measurements."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from memories.retrieval.index import IndexRows, OwnerIndex, TokenSpace, pack_tokens
from memories.text import analyse_many, pack_names, read
from memories.values import EPISODIC, LAYERS, SEMANTIC
from memsite.llm.embedding import TokenEmbedder


def index_of(
    texts: Sequence[str], embedder: TokenEmbedder, *, written: datetime, session: str = ""
) -> OwnerIndex:
    """Build an index of facts written at one time or, with a session, of the turns of one conversation."""
    return OwnerIndex.build(_rows(texts, embedder, written, session), TokenSpace.of(embedder))


def _rows(texts: Sequence[str], embedder: TokenEmbedder, written: datetime, session: str) -> IndexRows:
    count = len(texts)
    unknown, moment = np.full(count, np.nan), np.full(count, written.timestamp())
    layer = LAYERS.index(EPISODIC if session else SEMANTIC)
    analysed = analyse_many(texts)
    return IndexRows(
        ids=list(range(count)),
        layer=np.full(count, layer, dtype=np.uint8),
        kind=["conversation" if session else "fact"] * count,
        category=[""] * count,
        status=["active"] * count,
        speaker=[""] * count,
        session=[session] * count,
        position=np.arange(count) if session else np.zeros(count, dtype=np.int64),
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
        length=np.array([one.length for one in analysed], dtype=np.int64),
        cues=np.array([one.cues for one in analysed], dtype=np.int64),
        terms=[one.terms for one in analysed],
        tokens=[pack_tokens(ids) for ids in embedder.token_ids(list(texts))],
        entities=[pack_names(read(text).names) for text in texts],
    )
