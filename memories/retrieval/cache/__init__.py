"""Caches of a process: indexes of owners, of which the least used are dropped, and query vectors."""

from memories.retrieval.cache.cache import index_cache
from memories.retrieval.cache.query_vectors import get_query_vectors
from memories.retrieval.cache.state import load_recall_state

__all__ = ["get_query_vectors", "index_cache", "load_recall_state"]
