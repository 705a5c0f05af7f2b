"""Show a person's reports: the score and its trend, charts, and the findings with their acts."""

from __future__ import annotations

from datetime import date
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memories.maintenance import apply_mend, displayed_report, project_score, report_requests
from memories.models import ReportKind
from memories.pages.acts import PERSON, undo_url
from memories.pages.report.report_charts import draw_scores
from memories.pages.report.report_labels import MENDED
from memories.pages.report.report_view import LEAST_DIFFERENCE, build_page, list_history
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotFound, Unavailable
from memsite.values import parse_id
from memsite.web.charts import Point, format_number
from memsite.web.held import HeldRedirect
from memsite.web.requests import get_owner, notify

#: Seconds that the page waits for a requested report.
_WAIT: Final = 10.0
#: The reports on one page of the history.
_PAGE: Final = 60


@login_required
@require_safe
def show_report(request: HttpRequest) -> HttpResponse:
    """Show the latest report, with its findings as they are now, or what to do if there is none.

    The parameter `job` names the job of a report that was just requested; a notice says whether it is done.
    """
    owner = get_owner(request)
    job_id = parse_id(request.GET.get("job", ""))
    if job_id is not None:
        _announce(request, job_id, owner)
    last = displayed_report.get_latest_report(ReportKind.QUALITY, owner=owner)
    page = build_page(last, is_latest=True) if last is not None and last.body else None
    facts = {"preferences": get_preferences(owner), "page": page, "is_latest": True}
    return render(request, "memories/report/report.html", facts)


@login_required
@require_safe
def show_older_report(request: HttpRequest, report_id: UUID) -> HttpResponse:
    """Show a report of the history; the latest one is shown with its findings."""
    owner = get_owner(request)
    report = displayed_report.get_report(report_id, owner=owner)
    if report.kind != ReportKind.QUALITY or not report.body:
        raise NotFound("There is no such report.")
    last = displayed_report.get_latest_report(ReportKind.QUALITY, owner=owner)
    if last is not None and last.pk == report.pk:
        return redirect("memory_report")
    facts = {"preferences": get_preferences(owner), "page": build_page(report, is_latest=False)}
    return render(request, "memories/report/report.html", facts)


@login_required
@require_safe
def list_reports(request: HttpRequest) -> HttpResponse:
    """List the reports with their scores, the newest first; `until` names the day to begin with."""
    reports = displayed_report.list_scores(
        owner=get_owner(request), until=_parse_day(request.GET.get("until", "")), most=_PAGE + 1
    )
    shown = list_history(reports)[:_PAGE]
    points = [Point(one.report.day, one.report.score or 0) for one in reversed(shown)]
    older = reports[_PAGE] if len(reports) > _PAGE else None
    facts = {"history": shown, "chart": draw_scores(points), "older": older}
    return render(request, "memories/report/history.html", facts)


@login_required
@require_POST
def make_report(request: HttpRequest) -> HttpResponse:
    """Request a report, and wait for it for a few seconds."""
    owner = get_owner(request)
    job = report_requests.request_reports(owner=owner)
    url = f"{reverse('memory_report')}?{urlencode({'job': str(job.pk)})}"
    return HeldRedirect(request, url, lambda: _is_made(job.pk, owner), _WAIT)


@login_required
@require_POST
def mend_finding(request: HttpRequest, report_id: UUID) -> HttpResponse:
    """Apply `act`, or `act:<memory>` with the side to keep, to a finding. A notice offers to undo it."""
    owner = get_owner(request)
    act, _colon, side = request.POST.get("choice", "").partition(":")
    before = _project_now(report_id, owner)
    changed = apply_mend(
        report_id,
        request.POST.get("finding", ""),
        owner=owner,
        actor=PERSON,
        act=act,
        keep=parse_id(side),
    )
    words = str(MENDED.get(act, _("Done.")))
    notify(
        request,
        f"{words} {_describe_change(before, _project_now(report_id, owner))}".strip(),
        undo_url=undo_url(changed.batch_id),
    )
    return redirect("memory_report")


def _project_now(report_id: UUID, owner: UUID) -> float | None:
    """Return the score of a report with what was mended since; None for a report without figures."""
    report = displayed_report.get_report(report_id, owner=owner)
    projected = project_score(displayed_report.read_report(report))
    return projected.now if projected else None


def _describe_change(before: float | None, after: float | None) -> str:
    if before is None or after is None or abs(after - before) < LEAST_DIFFERENCE:
        return ""
    scores = {"before": format_number(before, 1), "after": format_number(after, 1)}
    return _("Score: %(before)s → %(after)s.") % scores


def _parse_day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _announce(request: HttpRequest, job_id: UUID, owner: UUID) -> None:
    try:
        is_made = _is_made(job_id, owner)
    except NotFound:
        return
    except Unavailable:
        notify(request, _("The report could not be made."), level=messages.ERROR)
        return
    notify(
        request, _("The report is new.") if is_made else _("The report is being made. Look again shortly.")
    )


def _is_made(job_id: UUID, owner: UUID) -> bool:
    return report_requests.get_made_report(job_id, ReportKind.QUALITY, owner=owner) is not None
