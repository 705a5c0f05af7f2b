"""View that exports a thread as a file, streamed in pieces."""

from __future__ import annotations

from typing import Final

from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from memsite.accounts.api.views import get_user
from memsite.accounts.audit import record_own
from memsite.rest.downloads import AnyAcceptedType, stream_download
from memsite.rest.openapi import describe_query
from memsite.rest.views import ApiView, get_owner, parse_query
from threads.api.shapes import reading as schema
from threads.messages import export_json, export_markdown
from threads.storage import get_branch, get_thread

_FORMATS: Final = {
    "json": (export_json, "application/json", "json"),
    "markdown": (export_markdown, "text/markdown; charset=utf-8", "md"),
}


class ExportView(ApiView):
    content_negotiation_class = AnyAcceptedType

    @extend_schema(
        operation_id="export_thread",
        summary="Export a thread",
        parameters=describe_query(schema.ExportQuery),
        responses={(200, "application/json"): schema.ThreadExportOut, (200, "text/markdown"): str},
    )
    def get(self, request: Request, thread_id: str) -> StreamingHttpResponse:
        """Return the whole thread as JSON, or a transcript in Markdown, as a file."""
        query, owner = parse_query(schema.ExportQuery, request), get_owner(request)
        thread = get_thread(thread_id, owner=owner)
        branch = get_branch(thread, query.branch) if query.branch else None
        record_own(request, get_user(request), "export", "threads", [thread.pk])
        write, content_type, suffix = _FORMATS[query.format]
        pieces = write(thread, branch, owner=owner)
        return stream_download(
            pieces, request, name=f"thread-{thread.pk}.{suffix}", content_type=content_type
        )
