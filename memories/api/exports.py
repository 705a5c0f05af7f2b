"""Export memories: every field of every memory, including forgotten ones, as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from memories.api.rendering import iso, memory_json
from memories.api.shapes import memories as schema
from memories.api.shapes.filters import filter_of
from memories.ports import hidden
from memories.storage import MemoryFilter, list_memories, with_links
from memsite.accounts.api.views import user_of
from memsite.accounts.audit import record_own
from memsite.rest.downloads import AsAsked, download
from memsite.rest.openapi import query_parameters
from memsite.rest.views import ApiView, owner_of, parse_query

FORMAT: Final = "memsite.memories"
VERSION: Final = 1
_PAGE: Final = 500  # memories per statement


class ExportView(ApiView):
    content_negotiation_class = AsAsked

    @extend_schema(
        operation_id="export_memories",
        summary="Export memories",
        parameters=query_parameters(schema.FilterQuery),
        responses=schema.ExportOut,
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Export all memories, or those that pass the filters of the list, as a file, oldest first."""
        filters, owner = filter_of(parse_query(schema.FilterQuery, request)), owner_of(request)
        record_own(request, user_of(request), "export", "memories")
        name = f"memories-{timezone.now():%Y-%m-%d}.json"
        return download(_pieces(filters, owner), request, name=name, content_type="application/json")


def _pieces(filters: MemoryFilter, owner: UUID) -> Iterator[str]:
    """Yield the pieces of one JSON object whose last field is `"complete": true`."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": iso(timezone.now()),
        "as_of": iso(filters.as_of),
        "believed_at": iso(filters.believed_at),
    }
    yield json.dumps(head)[:-1] + ', "memories": ['
    before = ""
    for page in _pages(filters, owner):
        yield before + ",\n".join(page)
        before = ",\n"
    yield '], "complete": true}\n'


def _pages(filters: MemoryFilter, owner: UUID) -> Iterator[list[str]]:
    """Yield pages of memories by id. Ids increase with time, so concurrent writes repeat and hide nothing.

    Memories learnt on abandoned branches are exported too, except in a query about a point in time, at which
    they are never recalled.
    """
    left = hidden(None, owner=owner) if filters.in_time else frozenset()
    rows = with_links(list_memories(filters, owner=owner, hidden=left)).order_by("id")
    page = list(rows[:_PAGE])
    while page:
        yield [json.dumps(memory_json(memory), ensure_ascii=False) for memory in page]
        page = list(rows.filter(id__gt=page[-1].pk)[:_PAGE])
