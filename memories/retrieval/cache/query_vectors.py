"""Vectors of queries by the sentence model, within a budget of time.

Embedding a query takes longer than the rest of a search. So the vectors are cached by text, and a search
waits for them no longer than its budget. What arrives later is cached for the next search with the same
words.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from typing import Final

import numpy as np
import structlog
from cachetools import LRUCache
from numpy.typing import NDArray

from memsite.llm.embedding import SentenceEmbedder, get_sentence_embedder

log = structlog.get_logger("memories.retrieval")

Float32 = NDArray[np.float32]
_KEPT: Final = 2_048  # queries, 1.5 KB each
#: Queries that may wait for the process's one embedding thread. A further one is not embedded: it would be
#: late for its own search, and delay those after it.
_WAITING: Final = 16


class QueryVectors:
    """Embeds queries in one thread, and keeps the vectors of the latest.

    Args:
        embedder: The sentence model.
        kept: Number of queries whose vectors are kept.
    """

    def __init__(self, embedder: SentenceEmbedder, kept: int = _KEPT) -> None:
        self._embedder = embedder
        self._kept: LRUCache[str, Float32] = LRUCache(kept)
        self._pending: dict[str, Future[Float32]] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, "query-vectors")

    def get(self, texts: Sequence[str], *, seconds: float) -> list[Float32 | None]:
        """Return the vector of each text; None for those that are not there within so many seconds."""
        end = time.monotonic() + seconds
        futures = [self._request(text) for text in texts]
        running = [one for one in futures if isinstance(one, Future)]
        if running:
            wait(running, max(0.0, end - time.monotonic()))
        return [_result(one) if isinstance(one, Future) else one for one in futures]

    def begin(self, text: str) -> None:
        """Begin to embed a text that will be asked for soon."""
        self._request(text)

    def _request(self, text: str) -> Float32 | Future[Float32] | None:
        with self._lock:
            vector = self._kept.get(text)
            if vector is not None:
                return vector
            pending = self._pending.get(text)
            if pending is None and len(self._pending) < _WAITING:
                pending = self._pending[text] = self._pool.submit(self._embed, text)
            return pending

    def _embed(self, text: str) -> Float32:
        try:
            vector = self._embedder.embed_query(text)
            with self._lock:
                self._kept[text] = vector
            return vector
        finally:
            with self._lock:
                self._pending.pop(text, None)


def get_query_vectors() -> QueryVectors | None:
    """Return the vectors of this process, or None without a sentence model."""
    embedder = get_sentence_embedder()
    return _query_vectors(embedder) if embedder else None


@lru_cache(maxsize=1)
def _query_vectors(embedder: SentenceEmbedder) -> QueryVectors:
    return QueryVectors(embedder)


def _result(future: Future[Float32]) -> Float32 | None:
    if not future.done():
        return None
    error = future.exception()
    if error is not None:
        log.warning("query not embedded by the sentence model", error=type(error).__name__)
        return None
    return future.result()
