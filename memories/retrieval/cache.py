"""Owners' indexes kept in this process, always as new as the database says.

Every search asks the ledger for the owner's version first (one small statement) and loads what
changed since; so a write in one process is seen by a search in another at once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.conf import settings

from memories.retrieval.index import OwnerIndex
from memories.retrieval.loading import load_rows
from memories.retrieval.vector import TokenSpace
from memsite.llm.embedding import Embedder, TokenEmbedder

#: Past this share of rows that a later version replaced, an index is built anew.
_STALE_SHARE: Final = 0.2


@dataclass(frozen=True, slots=True)
class _Entry:
    index: OwnerIndex
    model: str
    version: int
    epoch: int
    size: int


class IndexCache:
    """Least recently searched owners go first when the indexes together outgrow `capacity` bytes."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[UUID, _Entry] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def index_of(self, owner: UUID, embedder: Embedder, *, version: int, epoch: int) -> OwnerIndex:
        """The owner's index at `version` or later. At most one statement; none when nothing changed."""
        entry = self._get(owner)
        if entry is None or entry.epoch != epoch or entry.model != embedder.model:
            entry = None
        elif entry.version >= version:
            return entry.index
        fresh = _load(owner, embedder, entry, version=version, epoch=epoch)
        self._put(owner, fresh)
        return fresh.index

    def clear(self) -> None:
        """Forget every index."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def drop(self, owner: UUID) -> None:
        """Forget one owner's index."""
        with self._lock:
            gone = self._entries.pop(owner, None)
            self._size -= gone.size if gone else 0

    def _get(self, owner: UUID) -> _Entry | None:
        with self._lock:
            entry = self._entries.get(owner)
            if entry is not None:
                self._entries.move_to_end(owner)
            return entry

    def _put(self, owner: UUID, entry: _Entry) -> None:
        with self._lock:
            before = self._entries.pop(owner, None)
            self._size -= before.size if before else 0
            self._entries[owner] = entry
            self._size += entry.size
            while self._size > self._capacity and len(self._entries) > 1:
                _, gone = self._entries.popitem(last=False)
                self._size -= gone.size


def _load(owner: UUID, embedder: Embedder, entry: _Entry | None, *, version: int, epoch: int) -> _Entry:
    space = TokenSpace.of(embedder) if isinstance(embedder, TokenEmbedder) else None
    dimensions = embedder.dimensions if space is None else None
    if entry is not None and entry.index.replaced > _STALE_SHARE * len(entry.index):
        entry = None
    rows, newest = load_rows(
        owner=owner, model=embedder.model, after=entry.version if entry else 0, dimensions=dimensions
    )
    index = entry.index.extend(rows) if entry is not None else OwnerIndex.build(rows, space)
    return _Entry(index, embedder.model, max(version, newest), epoch, index.nbytes)


_cache: IndexCache | None = None


def index_cache() -> IndexCache:
    """This process's cache, sized by MEMSITE_INDEX_CACHE_MB."""
    global _cache  # noqa: PLW0603 - one a process, made when first asked for
    if _cache is None:
        _cache = IndexCache(settings.MEMSITE_INDEX_CACHE_MB * 1024 * 1024)
    return _cache
