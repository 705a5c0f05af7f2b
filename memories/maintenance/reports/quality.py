"""Make the quality report: counts, quality, findings and the score."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from memories.conf import REPORT
from memories.maintenance.reports.figures import LISTED, LISTED_KINDS, PERIOD_DAYS, Tally
from memories.maintenance.reports.findings import FindingKind, ReportFinding, make_finding
from memories.maintenance.reports.score import Figures, compute_score, compute_terms
from memories.maintenance.reports.survey import Survey
from memories.values import Status


def build_quality_report(survey: Survey) -> tuple[float, dict[str, Any]]:
    """Return the score, from 0 to 100, and the body of the report: counts, shares and ids, no text."""
    measured = collect_figures(survey)
    tally = survey.counted.tally
    body = {
        "totals": {
            "total": tally.total,
            "by_layer": survey.counted.by_layer,
            "by_kind": survey.counted.by_kind,
            "by_status": survey.counted.by_status,
        },
        "figures": asdict(measured)
        | {
            "fading": tally.fading,
            "waiting": tally.waiting,
            "held_by_bound": tally.held_by_bound,
            "low_value": tally.low_value,
            "disputes": len(survey.disputes),
            "conflicts": len(survey.conflicts),
            "duplicates": len(survey.duplicates),
        },
        "shares": _shares(measured),
        "learning": asdict(survey.learning) | {"days": PERIOD_DAYS},
        "recall": asdict(survey.recall) | {"days": PERIOD_DAYS},
        "growth": _growth(tally),
        "months": [asdict(month) for month in survey.months],
        "healthy": {
            "forgotten_under": REPORT.healthy_forgotten,
            "learnt_between": [REPORT.healthy_least, REPORT.healthy_most],
        },
        "terms": [asdict(term) for term in compute_terms(measured)],
        "findings": [finding.as_json() for finding in list_findings(survey)],
        "not_compared": list_not_compared(survey),
        "complete": survey.complete,
        "source": survey.source,
        "error": survey.error,
    }
    return compute_score(measured), body


def collect_figures(survey: Survey) -> Figures:
    """Return the figures from which the score is computed."""
    tally, learning, recall = survey.counted.tally, survey.learning, survey.recall
    return Figures(
        learnt=tally.learnt,
        in_use=tally.in_use,
        steady=tally.steady,
        contradicted=_contradicted(survey),
        copies=sum(len(members) - 1 for members in survey.duplicates),
        unsure=tally.unsure,
        stale=tally.stale,
        never_used=tally.never_used,
        forgotten=tally.forgotten,
        put_away=tally.put_away,
        kept=tally.kept,
        not_embedded=tally.not_embedded,
        batches=learning.batches,
        failed=learning.failed,
        answered=learning.answered,
        fell_back=learning.fell_back,
        useful=recall.useful,
        useless=recall.useless,
    )


def list_findings(survey: Survey) -> list[ReportFinding]:
    """Return the findings that a person can fix, at most 20 of each kind."""
    listed = [make_finding(kind, [memory]) for kind in LISTED_KINDS for memory in survey.listed.get(kind, ())]
    same = [make_finding(FindingKind.DUPLICATES, members) for members in survey.duplicates[:LISTED]]
    return [*survey.disputes[:LISTED], *survey.contradictions[:LISTED], *same, *listed]


def list_not_compared(survey: Survey) -> dict[str, Any]:
    """Return how many pairs could not be compared, and the ids of the first 20."""
    pairs = [[str(memory) for memory in pair] for pair in survey.not_compared[:LISTED]]
    return {"count": len(survey.not_compared), "pairs": pairs}


def _contradicted(survey: Survey) -> int:
    """Return the number of contradictory memories, or of disputed ones if that is greater.

    The latter includes disputed memories whose other side is gone.
    """
    in_conflict: set[UUID] = {memory for finding in survey.conflicts for memory in finding.memories}
    return max(len(in_conflict), survey.counted.by_status.get(Status.DISPUTED, 0))


def _shares(figures: Figures) -> dict[str, float | None]:
    """Return shares from 0 to 1; None if the whole is 0."""
    return {
        "in_use": _share(figures.in_use, figures.learnt),
        "forgotten": _share(figures.forgotten, figures.learnt + figures.forgotten),
        "success": _share(figures.batches, figures.batches + figures.failed),
        "fallback": _share(figures.fell_back, figures.answered + figures.fell_back),
        "useful": _share(figures.useful, figures.useful + figures.useless),
    }


def _growth(tally: Tally) -> dict[str, float | int | None]:
    """Return the change in the period; `share` is relative to the earlier number, None if that was 0."""
    before = tally.learnt - tally.gained + tally.let_go
    return {
        "days": PERIOD_DAYS,
        "gained": tally.gained,
        "let_go": tally.let_go,
        "share": _share(tally.gained - tally.let_go, max(0, before)),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
