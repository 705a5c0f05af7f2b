"""A per-process cache of owners' indexes that is always up to date with the database.

Each search first reads the owner's index version (one small statement) and loads the rows that changed since.
A write in one process is therefore visible to the next search in every other process.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from django.conf import settings

from memories.retrieval.cache.loading import load_rows
from memories.retrieval.index import OwnerIndex, TokenSpace
from memsite.llm.embedding import Embedder, TokenEmbedder, get_sentence_embedder

#: Seconds after which the size of an index is measured again, because searches add cached values to it.
_MEASURE_EVERY: Final = 1.0
#: Number of locks under which indexes are updated. Owners are distributed over them by hash.
_LOCKS: Final = 64


@dataclass(frozen=True, slots=True)
class _Entry:
    index: OwnerIndex
    model: str
    version: int
    epoch: int
    size: int
    measured: float = field(default_factory=time.monotonic)

    def answers(self, embedder: Embedder, version: int, epoch: int) -> bool:
        """Return whether a search may use the entry without an update."""
        return self.extends(embedder, epoch) and self.version >= version

    def extends(self, embedder: Embedder, epoch: int) -> bool:
        """Return whether only the rows changed since the entry's version have to be loaded."""
        return self.epoch == epoch and self.model == embedder.model


class IndexCache:
    """Cache of indexes, limited to `capacity` bytes; the least recently searched owners are evicted first."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[UUID, _Entry] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._loading = [threading.Lock() for _ in range(_LOCKS)]

    def index_of(self, owner: UUID, embedder: Embedder, *, version: int, epoch: int) -> OwnerIndex:
        """Return the owner's index at `version` or later. At most two statements, none if nothing changed."""
        entry = self._get(owner)
        if entry is not None and entry.answers(embedder, version, epoch):
            self._charge(owner, entry)
            return entry.index
        # threads that waited use the index that the first one loaded
        with self._loading[hash(owner) % _LOCKS]:
            entry = self._get(owner)
            if entry is None or not entry.answers(embedder, version, epoch):
                self.drop(owner)  # an index can be extended only once, even if that fails
                entry = _loaded(owner, embedder, entry, version=version, epoch=epoch)
                self._put(owner, entry)
            return entry.index

    def peek(self, owner: UUID) -> OwnerIndex | None:
        """Return the owner's index as it was last used; None if it is not here. Makes no statement."""
        entry = self._get(owner)
        return entry.index if entry is not None else None

    def clear(self) -> None:
        """Remove all indexes."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def drop(self, owner: UUID) -> None:
        """Remove the index of one owner."""
        with self._lock:
            gone = self._entries.pop(owner, None)
            self._size -= gone.size if gone else 0

    def _get(self, owner: UUID) -> _Entry | None:
        with self._lock:
            return self._entries.get(owner)

    def _charge(self, owner: UUID, entry: _Entry) -> None:
        """Mark an entry as recently used, and update its size if that was measured long ago."""
        now = time.monotonic()
        if now - entry.measured >= _MEASURE_EVERY:
            entry, before = replace(entry, size=entry.index.nbytes, measured=now), entry
        else:
            before = entry
        with self._lock:
            if self._entries.get(owner) is before:
                self._keep(owner, entry)

    def _put(self, owner: UUID, entry: _Entry) -> None:
        with self._lock:
            self._keep(owner, entry)

    def _keep(self, owner: UUID, entry: _Entry) -> None:
        before = self._entries.pop(owner, None)
        self._size += entry.size - (before.size if before else 0)
        self._entries[owner] = entry
        while self._size > self._capacity and len(self._entries) > 1:
            _, gone = self._entries.popitem(last=False)
            self._size -= gone.size


def _loaded(owner: UUID, embedder: Embedder, entry: _Entry | None, *, version: int, epoch: int) -> _Entry:
    """Return an up-to-date entry: the given one extended if possible, else a new one from all rows."""
    if entry is not None and entry.extends(embedder, epoch):
        extended = _extended(owner, embedder, entry, version)
        if extended is not None:
            return extended
    rows, newest = load_rows(
        owner=owner,
        model=embedder.model,
        dimensions=_dimensions(embedder),
        sentence_model=_sentence_model(embedder),
    )
    space = TokenSpace.of(embedder) if isinstance(embedder, TokenEmbedder) else None
    index = OwnerIndex.build(rows, space)
    return _Entry(index, embedder.model, max(version, newest), epoch, index.nbytes)


def _extended(owner: UUID, embedder: Embedder, entry: _Entry, version: int) -> _Entry | None:
    """Return the entry extended with changed rows, or None if it must be rebuilt."""
    rows, newest = load_rows(
        owner=owner,
        model=embedder.model,
        after=entry.version,
        dimensions=_dimensions(embedder),
        sentence_model=_sentence_model(embedder),
    )
    index = entry.index.extend(rows)
    if index is None:
        return None
    return replace(entry, index=index, version=max(version, newest))


def _dimensions(embedder: Embedder) -> int | None:
    """Return the length of the vectors to load, or None for an embedder with tokens."""
    return None if isinstance(embedder, TokenEmbedder) else embedder.dimensions


def _sentence_model(embedder: Embedder) -> str:
    """Return the sentence model whose vectors are stored beside this embedder's tokens; empty for none."""
    sentences = get_sentence_embedder() if isinstance(embedder, TokenEmbedder) else None
    return sentences.model if sentences else ""


_cache: IndexCache | None = None


def index_cache() -> IndexCache:
    """Return the cache of this process. MEMSITE_INDEX_CACHE_MB sets its size."""
    global _cache  # noqa: PLW0603 - one per process, created on first use
    if _cache is None:
        _cache = IndexCache(settings.MEMSITE_INDEX_CACHE_MB * 1024 * 1024)
    return _cache
