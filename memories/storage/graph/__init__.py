"""Walking the graph of an owner's entities, relations and linked memories; rebuilding it."""

from memories.storage.graph import graph_index
from memories.storage.graph.entity_relations import (
    EntityName,
    EntityRelation,
    EntityRelations,
    GraphTime,
    find_entities,
    load_entity_relations,
    load_further_relations,
)
from memories.storage.graph.neighbourhood import Neighbourhood, load_neighbourhood
from memories.storage.graph.rebuilding import count_memories_left, list_owners_with_memories, rebuild_graph
from memories.storage.graph.walking import Neighbour, Via, list_related

__all__ = [
    "EntityName",
    "EntityRelation",
    "EntityRelations",
    "GraphTime",
    "Neighbour",
    "Neighbourhood",
    "Via",
    "count_memories_left",
    "find_entities",
    "graph_index",
    "list_owners_with_memories",
    "list_related",
    "load_entity_relations",
    "load_further_relations",
    "load_neighbourhood",
    "rebuild_graph",
]
