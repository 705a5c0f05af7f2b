"""Embedding models: local and remote, and what their similarities mean."""

from memsite.llm.embedding import profiling
from memsite.llm.embedding.embedders import (
    get_embedder,
    get_profiles_file,
    get_wanted_model,
    resolve_model_name,
)
from memsite.llm.embedding.embedding import Embedder, Float32, TokenEmbedder
from memsite.llm.embedding.profiles import is_code_model, save_profile
from memsite.llm.embedding.sentences import (
    SENTENCE_DIMENSIONS,
    SENTENCE_MODEL,
    SentenceEmbedder,
    get_obstacle,
    get_sentence_embedder,
    quantise_vectors,
    warn_of_obstacle,
)

__all__ = [
    "SENTENCE_DIMENSIONS",
    "SENTENCE_MODEL",
    "Embedder",
    "Float32",
    "SentenceEmbedder",
    "TokenEmbedder",
    "get_embedder",
    "get_obstacle",
    "get_profiles_file",
    "get_sentence_embedder",
    "get_wanted_model",
    "is_code_model",
    "profiling",
    "quantise_vectors",
    "resolve_model_name",
    "save_profile",
    "warn_of_obstacle",
]
