"""Walking the graph of an owner's entities, relations and linked memories; rebuilding it."""

from memories.storage.graph.neighbourhood import Neighbourhood, neighbourhood
from memories.storage.graph.walking import Neighbour, Via, related

__all__ = ["Neighbour", "Neighbourhood", "Via", "neighbourhood", "related"]
