"""Views that assemble a context, rate a citation and learn from a thread."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memsite.rest.held import QUEUED, HeldResponse, HeldView
from memsite.rest.views import ApiView, get_owner, parse_body
from threads.api.rendering import context_json, outcome_json
from threads.api.shapes import contexts as context_schema
from threads.api.shapes import threads as schema
from threads.context import Moment, assemble_context, rate_citation
from threads.learning import LearningWatch, load_outcome, request_learning
from threads.storage import get_thread


class ContextView(ApiView):
    scopes: ClassVar[dict[str, str]] = {"POST": "read"}

    @extend_schema(
        operation_id="assemble_context",
        summary="Assemble a context",
        request=context_schema.ContextIn,
        responses=context_schema.ContextOut,
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Return what to send to the model for an input.

        The parts are system prompt, summary, task state, recent messages, memories and input.
        """
        body = parse_body(context_schema.ContextIn, request)
        context = assemble_context(
            thread_id,
            body.input,
            owner=get_owner(request),
            max_tokens=body.max_tokens,
            shape=body.format,
            moment=Moment(body.as_of, body.believed_at),
            preview=body.preview,
            encoding=body.chosen(default=""),
            shares=body.budget.list_shares(),
        )
        return Response(context_json(context))


class CitationView(ApiView):
    @extend_schema(
        operation_id="judge_citation",
        summary="Say whether a citation was useful",
        request=context_schema.CitationPatch,
        responses=context_schema.JudgedCitationOut,
    )
    def patch(self, request: Request, citation_id: str) -> Response:
        """Rate a citation. The rating counts in the quality report and changes recall within bounds."""
        useful = parse_body(context_schema.CitationPatch, request).useful
        row = rate_citation(citation_id, useful=useful, owner=get_owner(request), actor=get_actor(request))
        fields = {name: str(getattr(row, name)) for name in ("id", "memory_id", "context_id")}
        judged = {"score": row.score, "role": row.role, "why": row.why, "useful": row.useful}
        return Response(fields | judged)


class ExtractView(HeldView):
    @extend_schema(
        operation_id="extract_from_thread",
        summary="Learn from a thread",
        request=schema.ExtractIn,
        responses={200: schema.ExtractOut, 202: schema.JobOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Queue learning; with `wait` respond when it is done, or with 202 after that time."""
        seconds = parse_body(schema.ExtractIn, request).seconds()
        thread = get_thread(thread_id, owner=get_owner(request))
        watch = LearningWatch(thread, request_learning(thread))
        if not seconds:
            return Response({"job": str(watch.job.pk)}, status=QUEUED)
        return HeldResponse(lambda: _job_json(watch), seconds)


def _job_json(watch: LearningWatch) -> tuple[int, dict[str, Any]]:
    if not watch.has_settled():
        return QUEUED, {"job": str(watch.job.pk)}
    return 200, outcome_json(load_outcome(watch.thread, watch.job))
