"""Sentence vectors of texts, kept in a file between runs, because embedding all of them takes minutes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
_BATCH: Final = 32


class Vectors:
    """Unit vectors of memories and of inputs."""

    def __init__(self, path: Path) -> None:
        from memsite.llm.embedding import SentenceEmbedder  # noqa: PLC0415 - reads the settings

        self._path, self._embedder = path, SentenceEmbedder()
        self._stored: dict[str, Float32] = {}
        if path.exists():
            with np.load(path) as stored:
                self._stored = dict(zip(stored["texts"].tolist(), stored["vectors"], strict=True))

    def prepare(self, memories: Iterable[str], inputs: Iterable[str]) -> None:
        """Embed the texts that are not stored yet, and store them."""
        missing = sorted({text for text in memories if f"m {text}" not in self._stored}, key=len)
        for start in range(0, len(missing), _BATCH):
            some = missing[start : start + _BATCH]
            for text, vector in zip(some, self._embedder.embed_passages(some), strict=True):
                self._stored[f"m {text}"] = _unit(vector)
        new = [text for text in dict.fromkeys(inputs) if f"i {text}" not in self._stored]
        for text in new:
            self._stored[f"i {text}"] = _unit(self._embedder.embed_query(_get_meaning(text)))
        if missing or new:
            np.savez(
                self._path, texts=np.array(list(self._stored)), vectors=np.stack(list(self._stored.values()))
            )

    def of_memories(self, texts: Sequence[str]) -> Float32:
        """Return the vectors (n, d) of memories."""
        return np.stack([self._stored[f"m {text}"] for text in texts])

    def of_input(self, text: str) -> Float32:
        """Return the vector (d,) of an input."""
        return self._stored[f"i {text}"]


def _get_meaning(text: str) -> str:
    """Return the part of an input that a search embeds."""
    from memories.retrieval.query import parse_query  # noqa: PLC0415 - reads the settings

    return parse_query(text, (), datetime.now(UTC)).gist


def _unit(vector: NDArray[np.floating]) -> Float32:
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)
