"""Run and list reflection over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memories.api.shapes import reflection as schema
from memories.api.shapes.reflection_results import outcome_json, preview_json, row_json
from memories.maintenance import find_current_job, list_runs, load_outcome, preview_part, request_run
from memsite.jobs.models import Job
from memsite.rest.held import QUEUED, HeldResponse, HeldView
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import PageQuery, page_json, paginate
from memsite.rest.views import get_owner, parse_body, parse_query


class ReflectView(HeldView):
    @extend_schema(
        operation_id="list_reflections",
        summary="List what reflection did",
        parameters=describe_query(PageQuery),
        responses=schema.RunPage,
    )
    def get(self, request: Request) -> Response:
        """List the parts of runs, finished or waiting, newest first."""
        query = parse_query(PageQuery, request)
        owner = get_owner(request)
        page = paginate(list_runs(owner=owner), query, {"created_at": "created_at"})
        return Response(page_json(page, lambda row: row_json(row, owner=owner), request))

    @extend_schema(
        operation_id="reflect",
        summary="Reflect",
        request=schema.ReflectionIn,
        responses={200: schema.ReflectOut, 202: schema.ReflectJobOut},
    )
    def post(self, request: Request) -> Response:
        """Queue reflection. With `wait`, hold the answer until it is done, or answer 202 after that time."""
        body, owner = parse_body(schema.ReflectionIn, request), get_owner(request)
        if body.dry_run:
            return Response(preview_json([(p.kind, preview_part(p, owner=owner)) for p in body.parts()]))
        run, job = request_run(body.parts(), owner=owner, actor=get_actor(request))
        if not body.seconds():
            return Response(_queued_json(run, job), status=QUEUED)
        return HeldResponse(lambda: _run_json(run, job, owner), body.seconds())


def _run_json(run: UUID, job: Job, owner: UUID) -> tuple[int, dict[str, Any]]:
    now = find_current_job(job, owner=owner)
    if not now.has_ended:
        return QUEUED, _queued_json(run, job)
    return 200, outcome_json(run, load_outcome(run, now, owner=owner))


def _queued_json(run: UUID, job: Job) -> dict[str, Any]:
    return {"job": str(job.pk), "run": str(run)}
