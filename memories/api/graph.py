"""Walk the graph over HTTP: from a memory, or from an entity."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, Field
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.rendering import format_time, memory_json
from memories.api.shapes.memories import MemoryOut
from memories.storage import Neighbour, Neighbourhood, list_related, load_neighbourhood
from memsite.rest.openapi import describe_query
from memsite.rest.parsing import Body, Moment
from memsite.rest.views import ApiView, get_owner, parse_query


class RelatedQuery(Body):
    """How far to walk: `depth` is the number of steps; `as_of` and `believed_at` are as in search."""

    depth: int = Field(1, ge=1, le=3)
    as_of: Moment | None = None
    believed_at: Moment | None = None
    limit: int = Field(50, ge=1, le=200)


class GraphQuery(Body):
    """The start: `entity` is a name in any spelling or an id; by default the most mentioned entities."""

    entity: str = Field("", max_length=255)
    depth: int = Field(1, ge=1, le=3)
    as_of: Moment | None = None
    believed_at: Moment | None = None
    limit: int = Field(100, ge=1, le=500)


class ViaOut(BaseModel):
    """The last step. `kind`: both mention the entity `name`, the neighbour states a relation, or a link."""

    kind: Literal["entity", "relation", "link"]
    name: str
    predicate: str
    source: UUID = Field(description="the memory this step was taken from")


class NeighbourOut(MemoryOut):
    distance: int
    weight: float
    via: ViaOut


class RelatedOut(BaseModel):
    results: list[NeighbourOut]
    next: str | None
    previous: str | None


class EntityOut(BaseModel):
    id: UUID
    name: str
    aliases: list[str]
    mentions: int
    distance: int


class RelationOut(BaseModel):
    subject: str
    predicate: str
    object: str
    subject_id: UUID
    object_id: UUID
    memory: UUID
    valid_from: datetime | None
    valid_until: datetime | None


class GraphOut(BaseModel):
    entities: list[EntityOut]
    relations: list[RelationOut]
    more: bool = Field(description="whether some were left out")


class RelatedView(ApiView):
    @extend_schema(
        operation_id="related_memories",
        summary="Memories near a memory",
        parameters=describe_query(RelatedQuery),
        responses=RelatedOut,
    )
    def get(self, request: Request, memory_id: str) -> Response:
        """List memories that mention the same entities and memories that are linked, nearest first."""
        query = parse_query(RelatedQuery, request)
        found = list_related(memory_id, owner=get_owner(request), **query.model_dump())
        return Response({"results": [_neighbour_json(one) for one in found], "next": None, "previous": None})


class GraphView(ApiView):
    @extend_schema(
        operation_id="memory_graph",
        summary="Entities and their relations",
        parameters=describe_query(GraphQuery),
        responses=GraphOut,
    )
    def get(self, request: Request) -> Response:
        """Return the entities around one entity, or the most mentioned entities, with their relations."""
        query = parse_query(GraphQuery, request)
        return Response(_graph_json(load_neighbourhood(owner=get_owner(request), **query.model_dump())))


def _neighbour_json(one: Neighbour) -> dict[str, Any]:
    via = {
        "kind": one.via.kind,
        "name": one.via.name,
        "predicate": one.via.predicate,
        "source": str(one.via.source),
    }
    return memory_json(one.memory) | {"distance": one.distance, "weight": one.weight, "via": via}


def _graph_json(found: Neighbourhood) -> dict[str, Any]:
    names = {node.id: node.name for node in found.entities}
    entities = [
        {
            "id": str(node.id),
            "name": node.name,
            "aliases": list(node.aliases),
            "mentions": node.mentions,
            "distance": node.distance,
        }
        for node in found.entities
    ]
    relations = [
        {
            "subject": names[edge.subject],
            "predicate": edge.predicate,
            "object": names[edge.object],
            "subject_id": str(edge.subject),
            "object_id": str(edge.object),
            "memory": str(edge.memory),
            "valid_from": format_time(edge.valid_from),
            "valid_until": format_time(edge.valid_until),
        }
        for edge in found.relations
    ]
    return {"entities": entities, "relations": relations, "more": found.more}
