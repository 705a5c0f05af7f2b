"""List, read and make reports, and fix their findings, over HTTP."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memories.api.rendering import format_time, memory_json
from memories.api.shapes import reports as shapes
from memories.curation import ChangeResult
from memories.maintenance import (
    DisplayedFinding,
    DisplayedReport,
    apply_mend,
    displayed_report,
    report_requests,
)
from memories.models import Report, ReportKind
from memories.storage import attach_links
from memories.values import Action
from memsite.errors import NotFound
from memsite.jobs.models import Job
from memsite.llm.chat import AnswerSource
from memsite.rest.held import QUEUED, HeldResponse, HeldView
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import page_json, paginate
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query

_SORTS: Final = {"created_at": "created_at"}
#: Parts of a body that the answer has elsewhere, or that are only for our own use.
_BOTH_RIGHT: Final = frozenset({"findings", "judged", "complete", "source", "error"})


class ReportsView(HeldView):
    @extend_schema(
        operation_id="list_reports",
        summary="List reports",
        parameters=describe_query(shapes.ReportsQuery),
        responses=shapes.ReportPage,
    )
    def get(self, request: Request) -> Response:
        """List reports with their counts, newest first. Only a single report includes its findings."""
        query = parse_query(shapes.ReportsQuery, request)
        rows = displayed_report.list_reports(owner=get_owner(request), kind=query.kind or None)
        return Response(page_json(paginate(rows, query, _SORTS), summary_json, request))

    @extend_schema(
        operation_id="make_report",
        summary="Make a report now",
        request=shapes.ReportIn,
        responses={200: shapes.ReportOut, 202: shapes.ReportJobOut},
    )
    def post(self, request: Request) -> Response:
        """Queue today's reports. With `wait`, hold the answer until they are made, or answer 202."""
        body, owner = parse_body(shapes.ReportIn, request), get_owner(request)
        job = report_requests.request_reports(owner=owner)
        if not body.seconds():
            return Response({"job": str(job.pk)}, status=QUEUED)
        return HeldResponse(lambda: _job_json(job, body.kind, owner), body.seconds())


class LatestReportView(ApiView):
    @extend_schema(
        operation_id="latest_report",
        summary="Get the latest report",
        parameters=describe_query(shapes.LatestQuery),
        responses=shapes.ReportOut,
    )
    def get(self, request: Request) -> Response:
        """Return the latest report of a kind, with findings and trend; 404 before the first."""
        query = parse_query(shapes.LatestQuery, request)
        report = displayed_report.get_latest_report(query.kind, owner=get_owner(request))
        if report is None:
            raise NotFound("There is no such report.")
        return Response(report_json(displayed_report.read_report(report)))


class ReportView(ApiView):
    @extend_schema(operation_id="get_report", summary="Get a report", responses=shapes.ReportOut)
    def get(self, request: Request, report_id: str) -> Response:
        """Return one report, with its findings and the memories as they are now."""
        report = displayed_report.get_report(report_id, owner=get_owner(request))
        return Response(report_json(displayed_report.read_report(report)))


class MendView(ApiView):
    @extend_schema(
        operation_id="mend_finding",
        summary="Mend what a report found",
        request=shapes.MendIn,
        responses=shapes.MendedOut,
    )
    def post(self, request: Request, report_id: str) -> Response:
        """Apply an act to a finding. It is one batch, which can be undone."""
        body, owner = parse_body(shapes.MendIn, request), get_owner(request)
        changed = apply_mend(
            report_id, body.finding, owner=owner, actor=get_actor(request), act=body.act, keep=body.keep
        )
        return Response(mended_json(changed, owner=owner))


def _job_json(job: Job, kind: ReportKind, owner: UUID) -> tuple[int, dict[str, Any]]:
    report = report_requests.get_made_report(job.pk, kind, owner=owner)
    if report is None:
        return QUEUED, {"job": str(job.pk)}
    return 200, report_json(displayed_report.read_report(report))


def summary_json(report: Report) -> dict[str, Any]:
    """Return a report without its findings."""
    body = report.body
    return {
        "id": str(report.pk),
        "kind": report.kind,
        "day": report.day.isoformat(),
        "score": report.score,
        "figures": body.get("figures", {}),
        "complete": body.get("complete", True),
        "source": body.get("source", AnswerSource.FALLBACK),
        "error": body.get("error") or None,
        "created_at": format_time(report.created_at),
    }


def report_json(read: DisplayedReport) -> dict[str, Any]:
    """Return a report with its findings."""
    attach_links([memory for seen in read.findings for memory in seen.memories], owner=read.report.owner_id)
    points = [{"day": point.day.isoformat(), "score": point.score} for point in read.trend.points]
    return summary_json(read.report) | {
        "body": {name: part for name, part in read.report.body.items() if name not in _BOTH_RIGHT},
        "trend": {"points": points, "change": read.trend.change},
        "findings": [finding_json(seen) for seen in read.findings],
    }


def finding_json(seen: DisplayedFinding) -> dict[str, Any]:
    """Return a finding with its memories."""
    return {
        "id": seen.finding.id,
        "kind": seen.finding.kind,
        "why": seen.finding.why,
        "open": seen.open,
        "mends": list(seen.mends),
        "suggested": None if seen.suggested is None else str(seen.suggested),
        "memories": [memory_json(memory) for memory in seen.memories],
    }


def mended_json(changed: ChangeResult, *, owner: UUID) -> dict[str, Any]:
    """Return the result of an act, with the rows as they are now."""
    attach_links(changed.memories, owner=owner)
    return {
        "action": Action.MENDED,
        "batch_id": str(changed.batch_id),
        "memories": [memory_json(memory) for memory in changed.memories],
    }
