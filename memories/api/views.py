"""Read, write and change memories over HTTP. Each view parses, makes one call and renders."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories import curation
from memories.api.actors import get_actor
from memories.api.rendering import mark_hidden, memory_json
from memories.api.results import (
    batch_json,
    changed_json,
    history_json,
    receipt_json,
    search_json,
    written_json,
)
from memories.api.shapes import memories as schema
from memories.api.shapes import reports
from memories.api.shapes.queries import build_filter, build_search_query
from memories.curation import erasing, list_history
from memories.maintenance import health
from memories.ports import hidden
from memories.retrieval import search_memories
from memories.storage import add_links, get_memory, list_memories
from memories.values import Action, Status
from memories.writing import write_candidates
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import page_json, paginate
from memsite.rest.parsing import check_characters
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query

SORTS = {
    "created_at": "created_at",
    "last_accessed_at": "last_used_at",
    "access_count": "access_count",
    "importance": "importance",
    "updated_at": "updated_at",
}


class MemoriesView(ApiView):
    @extend_schema(
        operation_id="list_memories",
        summary="List memories",
        parameters=describe_query(schema.ListQuery),
        responses=schema.MemoryPage,
    )
    def get(self, request: Request) -> Response:
        """List memories, newest first by default. Every field is a filter."""
        query = parse_query(schema.ListQuery, request)
        owner = get_owner(request)
        filters, left = build_filter(query), hidden(None, owner=owner)
        # A query about a point in time is answered as by recall, which leaves these out; the plain list
        # includes them.
        rows = list_memories(filters, owner=owner, hidden=left if filters.in_time else ())
        page = paginate(add_links(rows), query, SORTS)
        mark_hidden(page.rows, left)
        return Response(page_json(page, memory_json, request))

    @extend_schema(
        operation_id="add_memory",
        summary="Add a memory",
        request=schema.MemoryIn,
        responses={201: schema.WrittenOut, 200: schema.WrittenOut},
    )
    def post(self, request: Request) -> Response:
        """Write one memory. Answers 201 if a row was created, 200 if an active one was strengthened."""
        candidate = parse_body(schema.MemoryIn, request).candidate()
        written = write_candidates([candidate], owner=get_owner(request), actor=get_actor(request))
        answer, status = written_json(written, owner=get_owner(request))
        return Response(answer, status=status)


class BatchView(ApiView):
    @extend_schema(
        operation_id="add_memories",
        summary="Add memories in one transaction",
        request=schema.BatchIn,
        responses=schema.BatchOut,
    )
    def post(self, request: Request) -> Response:
        """Write up to 1,000 memories, in order. A refused one fails alone; any other error fails all."""
        if isinstance(request.data, dict):
            check_characters(request.data.get("memories"))
        body = parse_body(schema.BatchIn, request)
        candidates = [item.candidate() for item in body.memories]
        written = write_candidates(candidates, owner=get_owner(request), actor=get_actor(request))
        return Response(batch_json(written, owner=get_owner(request)))


class SearchView(ApiView):
    scopes: ClassVar[dict[str, str]] = {"POST": "read"}

    @extend_schema(
        operation_id="search_memories",
        summary="Search memories",
        request=schema.SearchIn,
        responses=schema.SearchOut,
    )
    def post(self, request: Request) -> Response:
        """Search by meaning, words and relations at once."""
        query, owner = build_search_query(parse_body(schema.SearchIn, request)), get_owner(request)
        return Response(search_json(search_memories(query, owner=owner, hidden=hidden(None, owner=owner))))


class MemoryView(ApiView):
    @extend_schema(operation_id="get_memory", summary="Get a memory", responses=schema.MemoryOut)
    def get(self, request: Request, memory_id: str) -> Response:
        """Return one memory with every field, whatever its status."""
        memory = get_memory(memory_id, owner=get_owner(request), links=True)
        mark_hidden([memory], hidden(None, owner=memory.owner_id))
        return Response(memory_json(memory))

    @extend_schema(
        operation_id="change_memory",
        summary="Change a memory",
        request=schema.MemoryPatch,
        responses=schema.WrittenOut,
    )
    def patch(self, request: Request, memory_id: str) -> Response:
        """Change fields in place; new `content` writes a successor that supersedes this memory."""
        body = parse_body(schema.MemoryPatch, request)
        return Response(_patch(memory_id, body, get_owner(request), get_actor(request)))

    @extend_schema(
        operation_id="delete_memory",
        summary="Forget or erase a memory",
        parameters=describe_query(schema.DeleteQuery),
        responses={200: schema.DeletedOut},
    )
    def delete(self, request: Request, memory_id: str) -> Response:
        """Forget a memory, which can be restored. With `erase=true`, erase all its wordings for good."""
        owner, actor = get_owner(request), get_actor(request)
        if parse_query(schema.DeleteQuery, request).erase:
            return Response(receipt_json(erasing.erase_memory(memory_id, owner=owner, actor=actor)))
        memory = get_memory(memory_id, owner=owner)
        return Response(
            changed_json(
                Action.FORGOTTEN, curation.forget_memories([memory.pk], owner=owner, actor=actor), owner
            )
        )


class RestoreView(ApiView):
    @extend_schema(
        operation_id="restore_memory",
        summary="Restore a forgotten memory",
        request=None,
        responses=schema.WrittenOut,
    )
    def post(self, request: Request, memory_id: str) -> Response:
        """Restore a memory as it was."""
        owner = get_owner(request)
        memory = get_memory(memory_id, owner=owner)
        changed = curation.restore_memories([memory.pk], owner=owner, actor=get_actor(request))
        return Response(changed_json(Action.RESTORED, changed, owner))


class HistoryView(ApiView):
    @extend_schema(operation_id="memory_history", summary="History of a memory", responses=schema.HistoryOut)
    def get(self, request: Request, memory_id: str) -> Response:
        """Return every event of the memory and its other wordings, oldest first."""
        return Response({"results": history_json(list_history(memory_id, owner=get_owner(request)))})


class UndoView(ApiView):
    @extend_schema(
        operation_id="undo_batch",
        summary="Undo a batch",
        request=schema.BatchUndoIn,
        responses=schema.BatchUndoneOut,
    )
    def post(self, request: Request) -> Response:
        """Undo a whole batch of changes, as a new batch."""
        owner = get_owner(request)
        batch_id = parse_body(schema.BatchUndoIn, request).batch_id
        changed = curation.undo_batch(batch_id, owner=owner, actor=get_actor(request))
        return Response(
            {
                "action": Action.UNDONE,
                "memories": [memory_json(memory) for memory in changed.memories],
                "batch_id": str(changed.batch_id),
                "left_out": [str(memory_id) for memory_id in changed.left_out],
            }
        )


class StatsView(ApiView):
    @extend_schema(operation_id="memory_stats", summary="Health of the memory", responses=reports.StatsOut)
    def get(self, request: Request) -> Response:
        """Return counts, the state of reflection, embedding models and warnings."""
        return Response(health.collect_stats(owner=get_owner(request)))


def _patch(memory_id: str, body: schema.MemoryPatch, owner: UUID, actor: str) -> dict[str, Any]:
    if body.content is not None:
        changed = curation.rewrite_memory(
            memory_id, body.content, body.changes(), owner=owner, actor=actor, mode=body.mode
        )
        return changed_json(Action.SUPERSEDED, changed, owner)
    memory = get_memory(memory_id, owner=owner)
    if body.status == Status.ACTIVE and (memory.status != Status.ACTIVE or not body.changes()):
        changed = curation.confirm_memories([memory.pk], owner=owner, actor=actor)
        if not body.changes():
            return changed_json(Action.UPDATED, changed, owner)
    changed = curation.edit_memory(memory_id, body.changes(), owner=owner, actor=actor, mode=body.mode)
    return changed_json(Action.UPDATED, changed, owner)
