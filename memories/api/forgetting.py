"""Forget memories over HTTP: gc, and forgetting on request in two steps."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Self
from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, ConfigDict, Field, model_validator
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memories.api.rendering import memory_json
from memories.api.shapes.memories import MAX_QUERY, MemoryOut, Tag
from memories.conf import GC
from memories.curation import ChangeResult
from memories.maintenance import ForgetMatch, ForgetPreview, ForgetRequest, forget_request, gc
from memories.storage import attach_links
from memories.values import Layer
from memsite.rest.parsing import Body, Moment, refuse_both
from memsite.rest.views import ApiView, get_owner, parse_body


class GcIn(Body):
    """Which memories to collect: older than `max_age_days`, or used fewer than `min_access_count` times."""

    layers: list[Layer] = Field(default=[Layer.EPISODIC], min_length=1, max_length=3)
    max_age_days: int = Field(GC.max_age_days, ge=0, le=36_500)
    min_access_count: int = Field(GC.min_access_count, ge=0, le=1_000_000)
    dry_run: bool = False


class GcOut(BaseModel):
    """The result. `memory_ids` are the oldest 1,000 memories that were, or would be, forgotten."""

    dry_run: bool
    count: int
    memory_ids: list[UUID]
    batch_id: UUID | None
    warnings: list[str]


class ForgetIn(Body):
    """Step one: `query`, filters or both. Step two: `ids` alone, from the list of step one."""

    model_config = ConfigDict(json_schema_extra=refuse_both("ids", "query"))

    query: str = Field("", max_length=MAX_QUERY)
    layers: list[Layer] = []
    kinds: list[str] = Field(default=[], max_length=16)
    categories: list[str] = Field(default=[], max_length=64)
    subject: str = Field("", max_length=255)
    speaker: str = Field("", max_length=120)
    session: str = Field("", max_length=120)
    tags: list[Tag] = Field(default=[], max_length=64)
    since: Moment | None = None
    until: Moment | None = None
    ids: Annotated[list[UUID], Field(max_length=2 * forget_request.MOST)] = []
    with_derived: bool = False
    dry_run: bool | None = Field(None, description="By default true without `ids`, false with them")

    @model_validator(mode="after")
    def _check(self) -> Self:
        wished = self.to_request() != ForgetRequest()
        if self.query and not self.query.strip():
            raise ValueError("query says nothing")
        if wished == bool(self.ids):
            raise ValueError("give either ids, or a query or filters")
        if wished and self.dry_run is False:
            raise ValueError("call with dry_run first, then send the ids that it lists")
        return self

    def to_request(self) -> ForgetRequest:
        """Return the query and the filters."""
        values: dict[str, Any] = {}
        for field in fields(ForgetRequest):
            value = getattr(self, field.name)
            values[field.name] = tuple(value) if isinstance(value, list) else value
        return ForgetRequest(**values)


class MatchOut(MemoryOut):
    why: list[str]


class ForgetOut(BaseModel):
    """The memories that match, or that were forgotten.

    `derived` were derived only from these. `ids` are those to send in step two. `more` says that not
    everything could be listed.
    """

    dry_run: bool
    count: int
    ids: list[UUID]
    memories: list[MatchOut]
    derived: list[MatchOut]
    more: bool
    batch_id: UUID | None


class GcView(ApiView):
    @extend_schema(operation_id="collect_memories", summary="Collect garbage", request=GcIn, responses=GcOut)
    def post(self, request: Request) -> Response:
        """Forget old or unused memories as one batch; never within 7 days of creation, never `core` ones."""
        wanted = parse_body(GcIn, request)
        collected = gc.collect_garbage(
            owner=get_owner(request), actor=get_actor(request), **wanted.model_dump()
        )
        return Response(
            {
                "dry_run": wanted.dry_run,
                "count": collected.count,
                "memory_ids": [str(memory_id) for memory_id in collected.memory_ids],
                "batch_id": collected.batch_id and str(collected.batch_id),
                "warnings": list(collected.warnings),
            }
        )


class ForgetView(ApiView):
    @extend_schema(
        operation_id="forget_memories",
        summary="Forget about something",
        request=ForgetIn,
        responses=ForgetOut,
    )
    def post(self, request: Request) -> Response:
        """With a query or filters, list what matches and why. With `ids`, forget these as one batch."""
        wanted, owner = parse_body(ForgetIn, request), get_owner(request)
        if not wanted.ids:
            return Response(_listed_json(forget_request.preview_by_request(wanted.to_request(), owner=owner)))
        if wanted.dry_run:
            return Response(_listed_json(forget_request.preview_by_ids(wanted.ids, owner=owner)))
        changed = forget_request.forget_listed(
            wanted.ids, owner=owner, actor=get_actor(request), with_derived=wanted.with_derived
        )
        return Response(_forgotten_json(changed, owner))


def _listed_json(listed: ForgetPreview) -> dict[str, Any]:
    matches = [_match_json(match) for match in listed.matches]
    return {
        "dry_run": True,
        "count": len(matches),
        "ids": [match["id"] for match in matches],
        "memories": matches,
        "derived": [_match_json(match) for match in listed.derived],
        "more": listed.more,
        "batch_id": None,
    }


def _forgotten_json(changed: ChangeResult, owner: UUID) -> dict[str, Any]:
    attach_links(changed.memories, owner=owner)
    memories = [memory_json(memory) | {"why": []} for memory in changed.memories]
    return {
        "dry_run": False,
        "count": len(memories),
        "ids": [memory["id"] for memory in memories],
        "memories": memories,
        "derived": [],
        "more": False,
        "batch_id": str(changed.batch_id),
    }


def _match_json(match: ForgetMatch) -> dict[str, Any]:
    return memory_json(match.memory) | {"why": list(match.why)}
