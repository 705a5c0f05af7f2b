"""Embedding models: local and remote, and what their similarities mean."""

from memsite.llm.embedding import profiling
from memsite.llm.embedding.embedders import get_embedder, model_named, profiles_file, wanted_model
from memsite.llm.embedding.embedding import Embedder, TokenEmbedder
from memsite.llm.embedding.profiles import is_code_model, save_profile

__all__ = [
    "Embedder",
    "TokenEmbedder",
    "get_embedder",
    "is_code_model",
    "model_named",
    "profiles_file",
    "profiling",
    "save_profile",
    "wanted_model",
]
