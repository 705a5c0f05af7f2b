"""List and resolve conflicts, and merge memories over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, Field
from rest_framework.request import Request
from rest_framework.response import Response

from memories import curation
from memories.api.actors import get_actor
from memories.api.rendering import format_time, memory_json
from memories.api.results import changed_json
from memories.api.shapes.memories import MAX_CONTENT, MemoryOut, WrittenOut
from memories.models import Memory, MemoryLink
from memories.storage import get_memory, list_disputes, load_memories
from memories.values import Action, Writer
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import Page, PageQuery, page_json, paginate
from memsite.rest.parsing import Body
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query

SORTS = {"created_at": "created_at"}
MAX_SIDES = 50


class ResolveIn(Body):
    """The decision of a dispute.

    `over` lists the other memories, by default all of them; `how` decides what happens to them.
    """

    over: list[UUID] = Field(default=[], max_length=MAX_SIDES)
    how: curation.How = Field(
        "wrong",
        description="`wrong`: they never were so; `past`: they were, until this one; `both`: they are so too",
    )


class MergeIn(Body):
    """The memories to merge. Without `content`, the texts are joined, if no difference forbids it."""

    ids: list[UUID] = Field(min_length=2, max_length=MAX_SIDES)
    content: str | None = Field(None, min_length=1, max_length=MAX_CONTENT, pattern=r"\S")


class ConflictOut(BaseModel):
    """Two memories in dispute, the older first. `reason` says why time does not decide."""

    id: UUID
    memories: list[MemoryOut]
    reason: str
    created_at: datetime


class ConflictPage(BaseModel):
    results: list[ConflictOut]
    next: str | None
    previous: str | None


class ConflictsView(ApiView):
    @extend_schema(
        operation_id="list_conflicts",
        summary="Memories in dispute",
        parameters=describe_query(PageQuery),
        responses=ConflictPage,
    )
    def get(self, request: Request) -> Response:
        """List pairs of contradicting memories that time does not decide, with both texts."""
        owner = get_owner(request)
        page = paginate(list_disputes(owner=owner), parse_query(PageQuery, request), SORTS)
        rows = _rows(page, owner=owner)
        return Response(page_json(page, lambda link: _conflict_json(link, rows), request))


class ResolveView(ApiView):
    @extend_schema(
        operation_id="resolve_conflict",
        summary="Decide a dispute for one side",
        request=ResolveIn,
        responses=WrittenOut,
    )
    def post(self, request: Request, memory_id: str) -> Response:
        """Keep this memory; retire the others, end them or keep them active, as one batch."""
        owner, body = get_owner(request), parse_body(ResolveIn, request)
        keep = get_memory(memory_id, owner=owner).pk
        changed = curation.resolve_dispute(
            keep, body.over, owner=owner, actor=get_actor(request), how=body.how
        )
        return Response(changed_json(Action.RESOLVED, changed, owner))


class MergeView(ApiView):
    @extend_schema(
        operation_id="merge_memories",
        summary="Make one memory of several",
        request=MergeIn,
        responses={201: WrittenOut},
    )
    def post(self, request: Request) -> Response:
        """Write a successor that loses nothing. The merged memories are retired; an undo restores them."""
        owner, body = get_owner(request), parse_body(MergeIn, request)
        changed = curation.merge_memories(
            body.ids,
            owner=owner,
            actor=get_actor(request),
            content=body.content,
            written_by=Writer.PROGRAM if get_actor(request).startswith("key:") else Writer.PERSON,
        )
        return Response(changed_json(Action.MERGED, changed, owner), status=201)


def _rows(page: Page, *, owner: UUID) -> dict[UUID, Memory]:
    return load_memories({end for link in page.rows for end in (link.memory_id, link.other_id)}, owner=owner)


def _conflict_json(link: MemoryLink, rows: dict[UUID, Memory]) -> dict[str, Any]:
    return {
        "id": str(link.pk),
        "memories": [memory_json(rows[link.other_id]), memory_json(rows[link.memory_id])],
        "reason": link.reason,
        "created_at": format_time(link.created_at),
    }
