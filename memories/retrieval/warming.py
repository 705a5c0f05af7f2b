"""Warm up a process, so that its first search does not have to wait."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import numpy as np
from django.utils import timezone

from memories.retrieval.query import parse_query
from memories.retrieval.ranking import rank
from memories.retrieval.sample import index_of
from memories.retrieval.signals import probe_of
from memories.storage import active_embedder, warn_when_differing
from memsite.llm.embedding import TokenEmbedder

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
    warn_when_differing()
    embedder = active_embedder()
    if not isinstance(embedder, TokenEmbedder):
        return
    now = timezone.now()
    for session in ("", "talk"):
        index = index_of(_TALK, embedder, written=now - timedelta(days=1), session=session)
        query = parse_query(_QUESTION, index.speakers, now)
        everything = np.ones(len(index), dtype=bool)
        rank(index, query, probe_of(query.meaning, embedder), everything, now, top=1)
