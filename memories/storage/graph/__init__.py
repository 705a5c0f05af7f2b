"""Walking the graph of an owner's entities, relations and linked memories; rebuilding it."""

from memories.storage.graph import graph_index
from memories.storage.graph.neighbourhood import Neighbourhood, neighbourhood
from memories.storage.graph.rebuilding import memories_left, owners_with_memories, rebuild
from memories.storage.graph.walking import Neighbour, Via, related

__all__ = [
    "Neighbour",
    "Neighbourhood",
    "Via",
    "graph_index",
    "memories_left",
    "neighbourhood",
    "owners_with_memories",
    "rebuild",
    "related",
]
