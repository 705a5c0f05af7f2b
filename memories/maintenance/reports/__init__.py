"""Accounts of an owner's memories: how good they are, where they disagree, and what would mend them.

A report holds counts and ids, never a text: what it shows is looked up when it is read, so that what
was erased is gone from every report.
"""

from memories.maintenance.reports import displayed_report, report_making, report_requests, site
from memories.maintenance.reports.contradictions import mark_as_distinct
from memories.maintenance.reports.displayed_report import DisplayedFinding, DisplayedReport, Point
from memories.maintenance.reports.findings import FindingKind, Mend
from memories.maintenance.reports.mends import apply_mend
from memories.maintenance.reports.projected_score import ProjectedScore, project_score

__all__ = [
    "DisplayedFinding",
    "DisplayedReport",
    "FindingKind",
    "Mend",
    "Point",
    "ProjectedScore",
    "apply_mend",
    "displayed_report",
    "mark_as_distinct",
    "project_score",
    "report_making",
    "report_requests",
    "site",
]
