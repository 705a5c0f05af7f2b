"""View of a job's status."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.errors import NotFound
from memsite.jobs import find_job
from memsite.rest.views import ApiView, get_owner
from memsite.values import parse_id
from threads.api.rendering import job_json
from threads.api.shapes import threads as schema


class JobView(ApiView):
    @extend_schema(operation_id="get_job", summary="Ask after a job", responses=schema.JobStandingOut)
    def get(self, request: Request, job_id: str) -> Response:
        """Return an own job: queued, running, done, failed or dead, with the reason of the last failure."""
        identifier = parse_id(job_id)
        if identifier is None:
            raise NotFound("There is no such job.")
        return Response(job_json(find_job(identifier, owner=get_owner(request))))
