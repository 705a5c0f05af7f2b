"""Views of threads."""

from __future__ import annotations

from typing import Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import page_json, paginate
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query
from threads.api.rendering import removed_json, thread_json
from threads.api.shapes import threads as schema
from threads.api.shapes.reading import IdsOut, IdsQuery
from threads.messages import change_thread, create_thread, removal
from threads.storage import get_thread, list_threads

SORTS: Final = {"updated_at": "updated_at", "created_at": "created_at"}


class ThreadsView(ApiView):
    @extend_schema(
        operation_id="list_threads",
        summary="List threads",
        parameters=describe_query(schema.ThreadsQuery),
        responses=schema.ThreadPage,
    )
    def get(self, request: Request) -> Response:
        """Return threads, the one changed last first."""
        query = parse_query(schema.ThreadsQuery, request)
        rows = list_threads(
            owner=get_owner(request), is_temporary=query.is_temporary, external_id=query.external_id
        )
        return Response(page_json(paginate(rows, query, SORTS), thread_json, request))

    @extend_schema(
        operation_id="create_thread",
        summary="Begin a thread",
        request=schema.ThreadIn,
        responses={201: schema.ThreadOut, 200: schema.ThreadOut},
    )
    def post(self, request: Request) -> Response:
        """Create an empty thread with its branch `main`.

        The status is 200 if a thread with this `external_id` exists; it is returned unchanged.
        """
        body = parse_body(schema.ThreadIn, request)
        existing = None
        if body.external_id:
            existing = list_threads(owner=get_owner(request), external_id=body.external_id).first()
        application_id = getattr(request.auth, "application_id", None)
        thread = existing or create_thread(
            owner=get_owner(request), application_id=application_id, **body.model_dump()
        )
        return Response(thread_json(thread), status=200 if existing else 201)


class IdsView(ApiView):
    @extend_schema(
        operation_id="list_thread_ids",
        summary="List thread ids",
        parameters=describe_query(IdsQuery),
        responses=IdsOut,
    )
    def get(self, request: Request) -> Response:
        """Return ids only, up to 10,000 per page, the thread changed last first."""
        query = parse_query(IdsQuery, request)
        rows = list_threads(owner=get_owner(request), is_temporary=query.is_temporary)
        rows = rows.select_related(None).only("id", "updated_at", "created_at")
        return Response(page_json(paginate(rows, query, SORTS), lambda row: str(row.pk), request))


class ThreadView(ApiView):
    @extend_schema(operation_id="get_thread", summary="Get a thread", responses=schema.ThreadOut)
    def get(self, request: Request, thread_id: str) -> Response:
        """Return one thread, without its messages."""
        return Response(thread_json(get_thread(thread_id, owner=get_owner(request))))

    @extend_schema(
        operation_id="change_thread",
        summary="Change a thread",
        request=schema.ThreadPatch,
        responses=schema.ThreadOut,
    )
    def patch(self, request: Request, thread_id: str) -> Response:
        """Set title, system_prompt or metadata."""
        changes = parse_body(schema.ThreadPatch, request).changes()
        return Response(thread_json(change_thread(thread_id, changes, owner=get_owner(request))))

    @extend_schema(
        operation_id="delete_thread", summary="Delete a thread", responses={200: schema.RemovedOut}
    )
    def delete(self, request: Request, thread_id: str) -> Response:
        """Delete the messages for good and forget the episodes that mirror them.

        Facts learnt from them stay.
        """
        removed = removal.delete_thread(thread_id, owner=get_owner(request), actor=get_actor(request))
        return Response(removed_json(removed))


class CloseView(ApiView):
    @extend_schema(
        operation_id="close_thread", summary="Close a thread", request=None, responses=schema.ThreadOut
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Learn from waiting messages now; of a temporary thread, delete all messages."""
        return Response(thread_json(removal.close_thread(thread_id, owner=get_owner(request))))
