"""Index messages for the search within a thread: vectors and terms, computed on demand and not stored.

Entries are cached in the process, because a message's text never changes. Entries of temporary threads are
not cached.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memories.gate import redact_text
from memories.text import packed_terms, unpack_terms
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder
from threads.conf import EPISODE_CHARACTERS, EPISODE_PARTS, RETRIEVE_BATCH, RETRIEVE_KEPT, RETRIEVE_REMOTE
from threads.prompt import split_text

_NO_VECTORS: Final = np.zeros((0, 0), dtype=np.float16)


@dataclass(frozen=True, slots=True, eq=False)
class IndexEntry:
    """Index entry of a message.

    Attributes:
        vectors: Shape (parts, dimensions); empty if the embedder did not see the message.
        terms: Distinct term hashes.
    """

    vectors: NDArray[np.float16]
    terms: NDArray[np.uint32]


@dataclass(slots=True)
class MessageIndex:
    """LRU cache of index entries by message id and embedding model, with at most `most` entries."""

    most: int = RETRIEVE_KEPT
    _kept: OrderedDict[tuple[UUID, str], IndexEntry] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, ids: Iterable[UUID], model: str) -> dict[UUID, IndexEntry]:
        """Return the cached entries of these messages."""
        found: dict[UUID, IndexEntry] = {}
        with self._lock:
            for message_id in ids:
                entries = self._kept.get((message_id, model))
                if entries is not None:
                    self._kept.move_to_end((message_id, model))
                    found[message_id] = entries
        return found

    def keep(self, entries: Mapping[UUID, IndexEntry], model: str) -> None:
        """Cache entries, and evict those unused for longest."""
        with self._lock:
            self._kept.update({(message_id, model): one for message_id, one in entries.items()})
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._kept.clear()


INDEX: Final = MessageIndex()


def index_texts(
    texts: Iterable[tuple[UUID, str]], embedder: Embedder
) -> Iterator[tuple[dict[UUID, IndexEntry], str]]:
    """Yield index entries in batches, each with the reason why vectors are missing, or "".

    A remote embedder receives at most RETRIEVE_REMOTE texts, redacted by the gate, and none after it failed.
    An embedder in this process receives all texts as they are.

    Args:
        texts: Ids and texts, most important first.
    """
    is_local = runs_locally(embedder)
    waiting, shown, problem = iter(texts), 0, ""
    while batch := list(islice(waiting, RETRIEVE_BATCH)):
        if not is_local and shown >= RETRIEVE_REMOTE:
            problem = problem or "not embedded yet"
        vectors: Sequence[NDArray[np.float16]] = [_NO_VECTORS] * len(batch)
        if not problem:
            try:
                vectors = _embedded(
                    [text if is_local else redact_text(text).text for _, text in batch], embedder
                )
                shown += len(batch)
            except ModelError as error:
                problem = error.message
        yield _together(batch, vectors), problem


def runs_locally(embedder: Embedder) -> bool:
    """Return whether an embedder runs in this process, so that text passed to it does not leave the process.

    Decided by its type: `isinstance` with the protocol would ask a remote model for its dimensions.
    """
    return hasattr(type(embedder), "embed_tokens")


def hash_terms(text: str) -> NDArray[np.uint32]:
    """Return the distinct term hashes of a text: words stemmed, identifiers whole and in parts."""
    return np.unique(unpack_terms(packed_terms(text)))


def _together(
    batch: Sequence[tuple[UUID, str]], vectors: Sequence[NDArray[np.float16]]
) -> dict[UUID, IndexEntry]:
    return {
        message_id: IndexEntry(found, hash_terms(text))
        for (message_id, text), found in zip(batch, vectors, strict=True)
    }


def _embedded(texts: Sequence[str], embedder: Embedder) -> list[NDArray[np.float16]]:
    """Return the vectors of each text's parts; a text without words has none."""
    parts = [split_text(text, EPISODE_CHARACTERS)[:EPISODE_PARTS] for text in texts]
    vectors = embedder.embed([part for each in parts for part in each]).astype(np.float16)
    ends = np.cumsum([len(each) for each in parts])
    return np.split(vectors, ends[:-1])
