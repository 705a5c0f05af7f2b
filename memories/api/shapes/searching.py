"""Convert a search request to the query of the search."""

from __future__ import annotations

from memories.api.shapes.memories import SearchIn
from memories.retrieval import SearchQuery


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
