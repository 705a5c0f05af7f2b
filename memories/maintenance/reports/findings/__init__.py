"""Findings of a report: conflicts, duplicates, and what is similar."""

from memories.maintenance.reports.findings.blocking import find_sharing_pairs
from memories.maintenance.reports.findings.compared_pairs import (
    DISTINCT_FROM,
    Pair,
    list_compared_pairs,
    list_distinct_pairs,
    mark_distinct,
)
from memories.maintenance.reports.findings.conflicts import (
    find_contradictions,
    join_contradictions,
    list_candidate_pairs,
)
from memories.maintenance.reports.findings.duplicates import find_duplicates
from memories.maintenance.reports.findings.findings import (
    DISPUTED,
    JUDGED,
    MENDS,
    TAKE_A_SIDE,
    FindingKind,
    Mend,
    ReportFinding,
    make_finding,
)
from memories.maintenance.reports.findings.judgement import MOST_JUDGED, Judgement, judge_contradictions
from memories.maintenance.reports.findings.scan import Scan, scan_memories
from memories.maintenance.reports.findings.similar_pairs import find_similar_pairs

__all__ = [
    "DISPUTED",
    "DISTINCT_FROM",
    "JUDGED",
    "MENDS",
    "MOST_JUDGED",
    "TAKE_A_SIDE",
    "FindingKind",
    "Judgement",
    "Mend",
    "Pair",
    "ReportFinding",
    "Scan",
    "find_contradictions",
    "find_duplicates",
    "find_sharing_pairs",
    "find_similar_pairs",
    "join_contradictions",
    "judge_contradictions",
    "list_candidate_pairs",
    "list_compared_pairs",
    "list_distinct_pairs",
    "make_finding",
    "mark_distinct",
    "scan_memories",
]
