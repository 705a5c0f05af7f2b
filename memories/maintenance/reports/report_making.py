"""Make an owner's reports of one day: read, ask a model if there is one, then write once.

Reports that are made again replace the earlier ones of the day. If the process is killed at any moment,
either both reports were written or none.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from memories.maintenance.reports.findings import JUDGED, ReportFinding
from memories.maintenance.reports.quality import build_quality_report, list_not_compared
from memories.maintenance.reports.survey import ModelAnswers, Survey, gather_survey
from memories.models import Report, ReportKind
from memsite.accounts.preferences import get_preferences
from memsite.metering import ModelPurpose, get_chat_model

#: The most conflicts that the conflict report lists; it counts all of them.
MOST_CONFLICTS: Final = 100
#: The most pairs kept that a model found compatible and is not asked about again; further ones may be.
MOST_COMPARED: Final = 1_000


def make_reports(day: date, *, owner: UUID) -> float | None:
    """Make both reports of the day, and return the score. Return None if the owner's memory is off."""
    if not get_preferences(owner).memory_on:
        return None
    model = get_chat_model("fast", owner=owner, purpose=ModelPurpose.COMPARISON)
    found = gather_survey(day, _judged_before(day, owner=owner), model, owner=owner)
    score, body = build_quality_report(found)
    rows = [
        _report(ReportKind.QUALITY, day, score, body, owner=owner),
        _report(ReportKind.CONFLICTS, day, None, build_conflict_body(found), owner=owner),
    ]
    Report.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["owner", "kind", "day"],
        update_fields=["score", "body", "created_at"],
    )
    return score


def build_conflict_body(survey: Survey) -> dict[str, Any]:
    """Return the body of the conflict report: counts and ids, no text, and the pairs that a model judged."""
    counts: dict[str, int] = {}
    for finding in survey.conflicts:
        counts[finding.why] = counts.get(finding.why, 0) + 1
    return {
        "figures": {"conflicts": len(survey.conflicts), "by_reason": counts},
        "findings": [finding.as_json() for finding in survey.conflicts[:MOST_CONFLICTS]],
        "judged": {
            "contradictory": [finding.as_json() for finding in survey.model_answers.contradictory],
            "compatible": sorted(survey.model_answers.compatible)[:MOST_COMPARED],
            "asked": survey.model_answers.judged,
        },
        "not_compared": list_not_compared(survey),
        "complete": survey.complete,
        "source": survey.source,
        "error": survey.error,
    }


def _judged_before(day: date, *, owner: UUID) -> ModelAnswers:
    """Return a model's earlier answers. The daily number of pairs is reduced by those it answered today."""
    rows = Report.objects.filter(owner_id=owner, kind=ReportKind.CONFLICTS, day__lte=day).order_by("-day")
    last = rows.values_list("day", "body__judged").first()
    if last is None or not last[1]:
        return ModelAnswers()
    answers = last[1]
    return ModelAnswers(
        tuple(ReportFinding.from_json(one) for one in answers["contradictory"] if one["why"] == JUDGED),
        frozenset(answers["compatible"]),
        answers["asked"] if last[0] == day else 0,
    )


def _report(kind: ReportKind, day: date, score: float | None, body: dict[str, Any], *, owner: UUID) -> Report:
    now: datetime = timezone.now()
    return Report(owner_id=owner, kind=kind, day=day, score=score, body=body, created_at=now)
