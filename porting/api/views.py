"""Views of export and import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, ClassVar, Final
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memories.api.rendering import format_time
from memsite.accounts.api.views import get_user
from memsite.accounts.audit import record_own
from memsite.errors import Conflict, InvalidInput
from memsite.rest.downloads import AnyAcceptedType, stream_download
from memsite.rest.openapi import describe_query
from memsite.rest.views import ApiView, get_owner, parse_query
from porting import importing
from porting.api import shapes
from porting.exporting import export_everything
from porting.importing import Options, Upload
from porting.models import Import, ImportStatus

_UPLOAD: Final = {"type": "string", "format": "binary"}
_BODY: Final = {
    "multipart/form-data": {"type": "object", "properties": {"file": {"type": "array", "items": _UPLOAD}}},
    "application/octet-stream": _UPLOAD,
}
_COUNTS: Final = (
    *("threads", "extended", "messages", "created", "pending", "strengthened", "merged", "superseded"),
    *("disputed", "restored", "skipped", "refused", "removed", "left_out"),
)


class _RawParser(BaseParser):
    """Any body as it is."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - DRF's signature
    ) -> Any:  # noqa: ANN401 - DRF expects the parsed values; here it is the stream
        """Return the stream, which the view reads in parts."""
        return stream


class ExportView(ApiView):
    content_negotiation_class = AnyAcceptedType
    scopes: ClassVar[dict[str, str]] = {"GET": "admin"}

    @extend_schema(
        operation_id="export_everything",
        summary="Export everything",
        responses={(200, "application/zip"): _UPLOAD},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return all memories, threads and choices as a zip archive. A key needs the scope `admin`."""
        return download_export(request, get_owner(request))


def download_export(request: Request, owner: UUID) -> StreamingHttpResponse:
    """Return the archive of everything as a download, and note it in the audit record."""
    record_own(request, get_user(request), "export", "everything")
    name = f"memsite-{timezone.now():%Y-%m-%d}.zip"
    return stream_download(export_everything(owner=owner), request, name=name, content_type="application/zip")


class ImportView(ApiView):
    content_negotiation_class = AnyAcceptedType
    parser_classes = (MultiPartParser, _RawParser)
    takes_uploads = True

    @extend_schema(
        operation_id="begin_import",
        summary="Import a file",
        parameters=describe_query(shapes.ImportQuery),
        request=_BODY,
        responses={200: shapes.ImportPreviewOut, 202: shapes.ImportQueuedOut},
    )
    def post(self, request: Request) -> Response:
        """Import an export of Memsite or another product: the body, or the `file`s of a form."""
        query, owner = parse_query(shapes.ImportQuery, request), get_owner(request)
        options = Options(query.format, query.threads, query.learn)
        uploads = _list_uploads(request)
        if query.dry_run:
            return Response(importing.look_at_files(uploads, options, owner=owner).as_json())
        row = importing.begin_import(uploads, options, owner=owner, actor=get_actor(request))
        try:
            job = importing.start_import(row.pk, owner=owner)
        except Conflict:
            importing.cancel_import(row.pk, owner=owner)
            raise
        record_own(request, get_user(request), "import", str(row.format))
        return Response({"job": str(job.pk), "import": str(row.pk)}, status=202)


class ImportsView(ApiView):
    @extend_schema(operation_id="list_imports", summary="List imports", responses=shapes.ImportsOut)
    def get(self, request: Request) -> Response:
        """Return the last 20 imports, newest first."""
        rows = importing.list_imports(owner=get_owner(request))
        return Response({"results": [import_json(row) for row in rows]})


class ImportStatusView(ApiView):
    @extend_schema(operation_id="get_import", summary="How an import stands", responses=shapes.ImportOut)
    def get(self, request: Request, import_id: str) -> Response:
        """Return an import with its progress, counts and warnings."""
        return Response(import_json(importing.get_import(import_id, owner=get_owner(request))))


class CancelView(ApiView):
    @extend_schema(
        operation_id="cancel_import", summary="Stop an import", request=None, responses=shapes.ImportOut
    )
    def post(self, request: Request, import_id: str) -> Response:
        """End an import. What it has written stays, and can be undone."""
        return Response(import_json(importing.cancel_import(import_id, owner=get_owner(request))))


class UndoView(ApiView):
    @extend_schema(
        operation_id="undo_import",
        summary="Take an import back",
        request=None,
        responses={200: shapes.ImportOut, 202: shapes.ImportOut},
    )
    def post(self, request: Request, import_id: str) -> Response:
        """Remove what an import wrote, but for what was changed since. 202 if a job does the rest."""
        row = importing.undo_import(import_id, owner=get_owner(request))
        return Response(import_json(row), status=200 if row.status == ImportStatus.UNDONE else 202)


def import_json(row: Import) -> dict[str, Any]:
    """Return an import as JSON."""
    return {
        "id": str(row.pk),
        "format": row.format,
        "status": row.status,
        "files": row.files,
        "threads_wanted": bool(row.options.get("threads", True)),
        "learn": str(row.options.get("learn", "none")),
        "progress": {"done": row.done, "total": row.total},
        **{name: int(row.counts.get(name, 0)) for name in _COUNTS},
        "warnings": row.warnings,
        "error": row.error,
        "batch_id": str(row.batch_id),
        "job": str(row.job_id) if row.job_id else None,
        "created_at": format_time(row.created_at),
        "finished_at": format_time(row.finished_at),
    }


def _list_uploads(request: Request) -> list[Upload]:
    """Return the files of a form, or the body as one file."""
    data: Any = request.data
    if hasattr(data, "getlist"):
        unknown = set(request.data) - {"file"}
        if unknown:
            raise InvalidInput(
                "The form has the field `file` only.", dict.fromkeys(sorted(unknown), "unknown")
            )
        return [Upload(str(one.name), one) for one in request.FILES.getlist("file")]
    if not hasattr(data, "read"):
        return []
    return [Upload("the body", data)]
