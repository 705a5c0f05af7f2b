"""Memories as tests write them, and the rows from which an index is built."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.rows import IndexRows
from memories.retrieval.index.tokens import pack_tokens
from memories.text.analysis import analyse_texts
from memories.text.naming.keys import pack_names
from memories.values import LAYERS
from memsite.llm.embedding.local_embedding import LocalEmbedder

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Memo:
    """One memory as a test writes it; the defaults are those of a plain fact."""

    text: str
    id: Hashable | None = None
    layer: str = "semantic"
    kind: str = "fact"
    speaker: str = ""
    session: str = ""
    occurred: datetime | None = None
    used: datetime = NOW
    importance: float = 0.5
    accesses: int = 0
    entities: Sequence[str] = field(default=())
    status: str = "active"


def seconds(moments: Sequence[datetime | None]) -> NDArray[np.float64]:
    return np.array([moment.timestamp() if moment else np.nan for moment in moments], dtype=np.float64)


def rows_of(
    memos: Sequence[Memo], embedder: LocalEmbedder | None, vectors: NDArray[np.float32] | None = None
) -> IndexRows:
    texts = [memo.text for memo in memos]
    read = analyse_texts(texts)
    tokens = [pack_tokens(ids) for ids in embedder.token_ids(texts)] if embedder else [b""] * len(texts)
    unknown = np.full(len(memos), np.nan)
    return IndexRows(
        ids=[memo.id if memo.id is not None else place for place, memo in enumerate(memos)],
        layer=np.array([LAYERS.index(memo.layer) for memo in memos], dtype=np.uint8),
        kind=[memo.kind for memo in memos],
        category=[""] * len(memos),
        status=[memo.status for memo in memos],
        speaker=[memo.speaker for memo in memos],
        session=[memo.session for memo in memos],
        position=np.arange(len(memos), dtype=np.int64),
        occurred_at=seconds([memo.occurred for memo in memos]),
        restated_at=unknown,
        created_at=seconds([NOW - timedelta(days=1)] * len(memos)),
        last_used_at=seconds([memo.used for memo in memos]),
        valid_from=unknown,
        valid_until=unknown,
        ended_at=unknown,
        retired_at=unknown,
        importance=np.array([memo.importance for memo in memos], dtype=np.float32),
        confidence=np.full(len(memos), 0.9, dtype=np.float32),
        access_count=np.array([memo.accesses for memo in memos], dtype=np.int64),
        length=np.array([one.length for one in read], dtype=np.int64),
        cues=np.array([one.cues for one in read], dtype=np.int64),
        pinned=np.zeros(len(memos), dtype=np.bool_),
        terms=[one.terms for one in read],
        tokens=tokens,
        entities=[pack_names(memo.entities) for memo in memos],
        vectors=vectors,
    )
