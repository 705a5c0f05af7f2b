"""The indexes that a process holds: load an owner, keep it up to date, drop the least used."""

from memories.retrieval.cache.cache import index_cache
from memories.retrieval.cache.state import load_recall_state

__all__ = ["index_cache", "load_recall_state"]
