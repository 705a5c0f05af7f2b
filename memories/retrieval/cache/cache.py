"""Owners' indexes kept in this process, always as new as the database says.

Every search asks the ledger for the owner's version first (one small statement) and loads what
changed since; so a write in one process is seen by a search in another at once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from django.conf import settings

from memories.retrieval.cache.loading import load_rows
from memories.retrieval.index import OwnerIndex, TokenSpace
from memsite.llm.embedding import Embedder, TokenEmbedder

#: Locks under which indexes are brought up to date, shared out among the owners.
_LOCKS: Final = 64


@dataclass(frozen=True, slots=True)
class _Entry:
    index: OwnerIndex
    model: str
    version: int
    epoch: int
    size: int

    def answers(self, embedder: Embedder, version: int, epoch: int) -> bool:
        """Whether a search may use it as it is."""
        return self.extends(embedder, epoch) and self.version >= version

    def extends(self, embedder: Embedder, epoch: int) -> bool:
        """Whether it needs but what changed since its version."""
        return self.epoch == epoch and self.model == embedder.model


class IndexCache:
    """Least recently searched owners go first when the indexes together outgrow `capacity` bytes.

    An index is charged what it holds whenever it is asked for: searches add to it.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[UUID, _Entry] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._loading = [threading.Lock() for _ in range(_LOCKS)]

    def index_of(self, owner: UUID, embedder: Embedder, *, version: int, epoch: int) -> OwnerIndex:
        """The owner's index at `version` or later. At most two statements; none when nothing changed."""
        entry = self._get(owner)
        if entry is not None and entry.answers(embedder, version, epoch):
            self._charge(owner, entry)
            return entry.index
        with self._loading[hash(owner) % _LOCKS]:  # those that waited find what the first one loaded
            entry = self._get(owner)
            if entry is None or not entry.answers(embedder, version, epoch):
                self.drop(owner)  # an index can be extended once, even if that fails
                entry = _loaded(owner, embedder, entry, version=version, epoch=epoch)
                self._put(owner, entry)
            return entry.index

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
            return self._entries.get(owner)

    def _charge(self, owner: UUID, entry: _Entry) -> None:
        """Note that an entry is in use, and what it holds by now."""
        size = entry.index.nbytes
        with self._lock:
            if self._entries.get(owner) is entry:
                self._keep(owner, replace(entry, size=size))

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
    """The owner's entry as it is now: what is kept with what changed since, else all anew."""
    if entry is not None and entry.extends(embedder, epoch):
        extended = _extended(owner, embedder, entry, version)
        if extended is not None:
            return extended
    rows, newest = load_rows(owner=owner, model=embedder.model, dimensions=_dimensions(embedder))
    space = TokenSpace.of(embedder) if isinstance(embedder, TokenEmbedder) else None
    index = OwnerIndex.build(rows, space)
    return _Entry(index, embedder.model, max(version, newest), epoch, index.nbytes)


def _extended(owner: UUID, embedder: Embedder, entry: _Entry, version: int) -> _Entry | None:
    """With what changed since; None where that cannot be laid over."""
    rows, newest = load_rows(
        owner=owner, model=embedder.model, after=entry.version, dimensions=_dimensions(embedder)
    )
    index = entry.index.extend(rows)
    if index is None:
        return None
    return replace(entry, index=index, version=max(version, newest), size=index.nbytes)


def _dimensions(embedder: Embedder) -> int | None:
    """Of the vectors to load; None where tokens say all."""
    return None if isinstance(embedder, TokenEmbedder) else embedder.dimensions


_cache: IndexCache | None = None


def index_cache() -> IndexCache:
    """This process's cache, sized by MEMSITE_INDEX_CACHE_MB."""
    global _cache  # noqa: PLW0603 - one a process, made when first asked for
    if _cache is None:
        _cache = IndexCache(settings.MEMSITE_INDEX_CACHE_MB * 1024 * 1024)
    return _cache
