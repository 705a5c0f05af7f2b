"""The bundled sentence model: vectors of whole texts, across languages."""

from memsite.llm.embedding.sentences.embedder import (
    LANGUAGES_FILE,
    SENTENCE_DIMENSIONS,
    SENTENCE_MODEL,
    SentenceEmbedder,
    get_obstacle,
    get_sentence_embedder,
    quantise_vectors,
    warn_of_obstacle,
)

__all__ = [
    "LANGUAGES_FILE",
    "SENTENCE_DIMENSIONS",
    "SENTENCE_MODEL",
    "SentenceEmbedder",
    "get_obstacle",
    "get_sentence_embedder",
    "quantise_vectors",
    "warn_of_obstacle",
]
