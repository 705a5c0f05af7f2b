"""Findings of a report: conflicts, duplicates, and what is similar."""

from memories.maintenance.reports.findings.apart import KEPT_APART, Pair, apart_from, kept_apart, known_pairs
from memories.maintenance.reports.findings.blocking import sharing_pairs
from memories.maintenance.reports.findings.conflicts import candidates, contradictions
from memories.maintenance.reports.findings.duplicates import duplicates
from memories.maintenance.reports.findings.findings import (
    DISPUTED,
    JUDGED,
    KINDS,
    MENDS,
    TAKE_A_SIDE,
    Finding,
    of,
)
from memories.maintenance.reports.findings.judging import MOST_JUDGED, Judgement, judge
from memories.maintenance.reports.findings.nearness import near_pairs
from memories.maintenance.reports.findings.scan import Scan, scan

__all__ = [
    "DISPUTED",
    "JUDGED",
    "KEPT_APART",
    "KINDS",
    "MENDS",
    "MOST_JUDGED",
    "TAKE_A_SIDE",
    "Finding",
    "Judgement",
    "Pair",
    "Scan",
    "apart_from",
    "candidates",
    "contradictions",
    "duplicates",
    "judge",
    "kept_apart",
    "known_pairs",
    "near_pairs",
    "of",
    "scan",
    "sharing_pairs",
]
