"""What a thread gives to a model, and what is learnt from it, over HTTP."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.rest.views import ApiView, owner_of, parse_body
from threads.access import get_thread
from threads.api import schema
from threads.api.rendering import context_json, outcome_json
from threads.context import Moment, assemble
from threads.outcomes import outcome_of, request_learning, settle


class ContextView(ApiView):
    scopes: ClassVar[dict[str, str]] = {"POST": "read"}

    @extend_schema(
        operation_id="assemble_context",
        summary="Assemble a context",
        request=schema.ContextIn,
        responses=schema.ContextOut,
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """What to send the model: system prompt, memories, summary, recent messages, input."""
        body = parse_body(schema.ContextIn, request)
        context = assemble(
            thread_id,
            body.input,
            owner=owner_of(request),
            max_tokens=body.max_tokens,
            shape=body.format,
            moment=Moment(body.as_of, body.believed_at),
        )
        return Response(context_json(context))


class ExtractView(ApiView):
    @extend_schema(
        operation_id="extract_from_thread",
        summary="Learn from a thread",
        request=schema.ExtractIn,
        responses={200: schema.ExtractOut, 202: schema.JobOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Queues learning; with `wait` holds the answer until it is done, or 202 after that time."""
        seconds = parse_body(schema.ExtractIn, request).seconds()
        thread = get_thread(thread_id, owner=owner_of(request))
        job = request_learning(thread)
        if seconds:
            job = settle(thread, job, seconds=seconds)
        if not seconds or not job.has_ended:
            return Response({"job": str(job.pk)}, status=202)
        return Response(outcome_json(outcome_of(thread, job)))
