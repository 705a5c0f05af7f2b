"""Export memories: every field of every memory, including forgotten ones, as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel
from rest_framework.request import Request

from memories.api.rendering import format_time, memory_json
from memories.api.shapes import memories as schema
from memories.api.shapes.queries import build_filter
from memories.ports import hidden
from memories.storage import MemoryFilter, add_links, list_memories
from memsite.accounts.api.views import get_user
from memsite.accounts.audit import record_own
from memsite.rest.downloads import AnyAcceptedType, stream_download
from memsite.rest.openapi import describe_query
from memsite.rest.views import ApiView, get_owner, parse_query
from memsite.values import round_numbers

FORMAT: Final = "memsite.memories"
VERSION: Final = 1
_PAGE: Final = 500  # memories per statement


class MemoryExportOut(BaseModel):
    """An export. `complete` is the last field; if it is missing, the export was interrupted."""

    format: Literal["memsite.memories"]
    version: int
    exported_at: datetime
    as_of: datetime | None
    believed_at: datetime | None
    memories: list[schema.MemoryOut]
    complete: bool


class ExportView(ApiView):
    content_negotiation_class = AnyAcceptedType

    @extend_schema(
        operation_id="export_memories",
        summary="Export memories",
        parameters=describe_query(schema.FilterQuery),
        responses=MemoryExportOut,
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Export all memories, or those that pass the filters of the list, as a file, oldest first."""
        filters, owner = build_filter(parse_query(schema.FilterQuery, request)), get_owner(request)
        record_own(request, get_user(request), "export", "memories")
        name = f"memories-{timezone.now():%Y-%m-%d}.json"
        return stream_download(_pieces(filters, owner), request, name=name, content_type="application/json")


def _pieces(filters: MemoryFilter, owner: UUID) -> Iterator[str]:
    """Yield the pieces of one JSON object whose last field is `"complete": true`."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": format_time(timezone.now()),
        "as_of": format_time(filters.as_of),
        "believed_at": format_time(filters.believed_at),
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
    rows = add_links(list_memories(filters, owner=owner, hidden=left)).order_by("id")
    page = list(rows[:_PAGE])
    while page:
        yield [json.dumps(round_numbers(memory_json(memory)), ensure_ascii=False) for memory in page]
        page = list(rows.filter(id__gt=page[-1].pk)[:_PAGE])
