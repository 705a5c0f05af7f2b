"""Show a person's report: the score and its trend, and the findings with their acts."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memories.maintenance import apply_mend, displayed_report, report_requests
from memories.models import ReportKind
from memories.pages.acts import PERSON, undo_url
from memories.pages.report.report_labels import MENDED
from memories.pages.report.report_view import build_bars, build_chart, group_findings
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotFound, Unavailable
from memsite.values import parse_id
from memsite.web.held import HeldRedirect
from memsite.web.requests import get_owner, notify

#: Seconds that the page waits for a requested report.
_WAIT: Final = 10.0


@login_required
@require_safe
def show_report(request: HttpRequest) -> HttpResponse:
    """Show the latest report, with its findings as they are now, or what to do if there is none.

    The parameter `job` names the job of a report that was just requested; a notice says whether it is done.
    """
    owner = get_owner(request)
    asked = parse_id(request.GET.get("job", ""))
    if asked is not None:
        _announce(request, asked, owner)
    last = displayed_report.get_latest_report(ReportKind.QUALITY, owner=owner)
    facts: dict[str, object] = {"preferences": get_preferences(owner)}
    if last is not None:
        read = displayed_report.read_report(last)
        facts |= {
            "reading": read,
            "body": last.body,
            "chart": build_chart(read.trend.points),
            "groups": group_findings(read),
            "bars": build_bars(last.body),
        }
    return render(request, "memories/report.html", facts)


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
    act, _colon, side = request.POST.get("choice", "").partition(":")
    changed = apply_mend(
        report_id,
        request.POST.get("finding", ""),
        owner=get_owner(request),
        actor=PERSON,
        act=act,
        keep=parse_id(side),
    )
    notify(request, str(MENDED.get(act, _("Done."))), undo_url=undo_url(changed.batch_id))
    return redirect("memory_report")


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
