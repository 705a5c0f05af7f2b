"""Changing the embedding model with no downtime: fill in the new one's vectors beside, then switch."""

from memories.maintenance.reembedding import embedding_switch, reindexing
from memories.maintenance.reembedding.changing import change_to, former_embedder
from memories.maintenance.reembedding.filling import Pace

__all__ = [
    "Pace",
    "change_to",
    "embedding_switch",
    "former_embedder",
    "reindexing",
]
