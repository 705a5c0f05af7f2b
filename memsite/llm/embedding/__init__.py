"""Embedding models: local and remote, and what their similarities mean."""

from memsite.llm.embedding import profiling
from memsite.llm.embedding.embedders import (
    get_embedder,
    get_profiles_file,
    get_wanted_model,
    resolve_model_name,
)
from memsite.llm.embedding.embedding import Embedder, TokenEmbedder
from memsite.llm.embedding.profiles import is_code_model, save_profile

__all__ = [
    "Embedder",
    "TokenEmbedder",
    "get_embedder",
    "get_profiles_file",
    "get_wanted_model",
    "is_code_model",
    "profiling",
    "resolve_model_name",
    "save_profile",
]
