"""Change the embedding model without downtime: add vectors of the new model, then switch."""

from memories.maintenance.reembedding import embedding_switch, reindexing, sentences
from memories.maintenance.reembedding.filling import Pace
from memories.maintenance.reembedding.model_change import change_embedding_model, get_former_embedder

__all__ = [
    "Pace",
    "change_embedding_model",
    "embedding_switch",
    "get_former_embedder",
    "reindexing",
    "sentences",
]
