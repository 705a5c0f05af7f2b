"""Warm up a process, so that its first search does not have to wait. Builds indexes without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import numpy as np
from django.utils import timezone

from memories.retrieval.index import IndexRows, OwnerIndex, TokenSpace, pack_tokens
from memories.retrieval.query import parse_query
from memories.retrieval.ranking import rank_memories
from memories.retrieval.signals import make_probe
from memories.storage import get_active_embedder, warn_of_difference
from memories.text import analyse_texts, pack_names, read_statement
from memories.values import LAYERS, Kind, Layer, Status
from memsite.llm.embedding import (
    SENTENCE_DIMENSIONS,
    TokenEmbedder,
    get_sentence_embedder,
    warn_of_obstacle,
)

#: Texts and a question that match by words, names, neighbouring turns and date, so that every loop is
#: compiled.
_TALK: Final = (
    "Where does Anna's sister Maria work?",
    "Maria works at Northwind since May.",
    "That is near.",
)
_QUESTION: Final = "Where did Anna's sister work in May?"


def warm_up() -> None:
    """Load weights, tokeniser and word lists and compile the loops by running a search.

    Only a local token embedder is warmed up. Logs a warning if the settings name an embedding model other
    than the one in use.
    """
    warn_of_difference()
    warn_of_obstacle()
    sentences = get_sentence_embedder()
    if sentences is not None:
        sentences.load()
    embedder = get_active_embedder()
    if not isinstance(embedder, TokenEmbedder):
        return
    now = timezone.now()
    for session in ("", "talk"):
        rows = _rows(_TALK, embedder, now - timedelta(days=1), session)
        if sentences is not None:
            same = np.ones((len(rows), SENTENCE_DIMENSIONS), dtype=np.int8)
            rows = replace(rows, sentences=same)
        index = OwnerIndex.build(rows, TokenSpace.of(embedder))
        query = parse_query(_QUESTION, index.speakers, now)
        everything = np.ones(len(index), dtype=bool)
        probe = make_probe(query.meaning, embedder)
        if index.sentences is not None:
            probe = replace(probe, sentence=np.ones(SENTENCE_DIMENSIONS, dtype=np.float32))
        rank_memories(index, query, probe, everything, now, top=1)


def index_of(
    texts: Sequence[str], embedder: TokenEmbedder, *, written: datetime, session: str = ""
) -> OwnerIndex:
    """Build an index of facts written at one time or, with a session, of the turns of one conversation."""
    return OwnerIndex.build(_rows(texts, embedder, written, session), TokenSpace.of(embedder))


def _rows(texts: Sequence[str], embedder: TokenEmbedder, written: datetime, session: str) -> IndexRows:
    count = len(texts)
    unknown, moment = np.full(count, np.nan), np.full(count, written.timestamp())
    layer = LAYERS.index(Layer.EPISODIC if session else Layer.SEMANTIC)
    analysed = analyse_texts(texts)
    return IndexRows(
        ids=list(range(count)),
        layer=np.full(count, layer, dtype=np.uint8),
        kind=[Kind.CONVERSATION if session else Kind.FACT] * count,
        category=[""] * count,
        status=[Status.ACTIVE] * count,
        speaker=[""] * count,
        session=[session] * count,
        position=np.arange(count) if session else np.zeros(count, dtype=np.int64),
        occurred_at=unknown,
        restated_at=unknown,
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
        pinned=np.zeros(count, dtype=np.bool_),
        terms=[one.terms for one in analysed],
        tokens=[pack_tokens(ids) for ids in embedder.token_ids(list(texts))],
        entities=[pack_names(read_statement(text).names) for text in texts],
    )
