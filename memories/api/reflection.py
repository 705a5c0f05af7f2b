"""Run and list reflection over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import actor_of
from memories.api.shapes import reflection as schema
from memories.api.shapes.reflection_results import outcome_json, preview_json, row_json
from memories.maintenance import current_job, outcome_of, preview, request_run, runs
from memsite.jobs.models import Job
from memsite.rest.held import QUEUED, HeldResponse, HeldView
from memsite.rest.openapi import query_parameters
from memsite.rest.pagination import PageQuery, page_json, paginate
from memsite.rest.views import owner_of, parse_body, parse_query


class ReflectView(HeldView):
    @extend_schema(
        operation_id="list_reflections",
        summary="List what reflection did",
        parameters=query_parameters(PageQuery),
        responses=schema.RunPage,
    )
    def get(self, request: Request) -> Response:
        """List the parts of runs, finished or waiting, newest first."""
        query = parse_query(PageQuery, request)
        owner = owner_of(request)
        page = paginate(runs(owner=owner), query, {"created_at": "created_at"})
        return Response(page_json(page, lambda row: row_json(row, owner=owner), request))

    @extend_schema(
        operation_id="reflect",
        summary="Reflect",
        request=schema.ReflectionIn,
        responses={200: schema.ReflectOut, 202: schema.ReflectJobOut},
    )
    def post(self, request: Request) -> Response:
        """Queue reflection. With `wait`, hold the answer until it is done, or answer 202 after that time."""
        body, owner = parse_body(schema.ReflectionIn, request), owner_of(request)
        if body.dry_run:
            return Response(preview_json([(p.kind, preview(p, owner=owner)) for p in body.parts()]))
        run, job = request_run(body.parts(), owner=owner, actor=actor_of(request))
        if not body.seconds():
            return Response(_queued_json(run, job), status=QUEUED)
        return HeldResponse(lambda: _standing(run, job, owner), body.seconds())


def _standing(run: UUID, job: Job, owner: UUID) -> tuple[int, dict[str, Any]]:
    now = current_job(job, owner=owner)
    if not now.has_ended:
        return QUEUED, _queued_json(run, job)
    return 200, outcome_json(run, outcome_of(run, now, owner=owner))


def _queued_json(run: UUID, job: Job) -> dict[str, Any]:
    return {"job": str(job.pk), "run": str(run)}
