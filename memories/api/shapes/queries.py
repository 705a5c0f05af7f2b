"""Convert requests to the queries of storage and of the search."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from memories.api.shapes.memories import FilterQuery, SearchIn
from memories.retrieval import SearchQuery
from memories.storage import MemoryFilter
from memsite.rest.parsing import write_object


def build_filter(query: FilterQuery) -> MemoryFilter:
    """Return a filter with the same fields, with lists as tuples."""
    values: dict[str, Any] = {}
    for field in fields(MemoryFilter):
        value = getattr(query, field.name)
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return MemoryFilter(**values)


def build_search_query(body: SearchIn) -> SearchQuery:
    """Return the query with the fields of the request."""
    return SearchQuery(
        query=body.query,
        layers=tuple(body.layers),
        kinds=tuple(body.kinds),
        categories=tuple(body.categories),
        subject=body.subject,
        speaker=body.speaker,
        tags=tuple(body.tags),
        metadata=write_object(body.metadata),
        order=body.order_by,
        statuses=tuple(body.status),
        since=body.since,
        until=body.until,
        top_k=body.top_k,
        limit=body.limit,
        offset=body.offset,
        min_similarity=body.min_similarity,
        as_of=body.as_of,
        believed_at=body.believed_at,
    )
