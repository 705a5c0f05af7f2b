"""Read reports: look up their memories as they are now, mark settled findings, follow the score by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from memories.conf import REPORT
from memories.maintenance.reports.findings import (
    DISPUTED,
    DISTINCT_FROM,
    MENDS,
    TAKE_A_SIDE,
    FindingKind,
    Mend,
    ReportFinding,
    list_distinct_pairs,
)
from memories.models import Memory, Report, ReportKind
from memories.storage import load_memories
from memories.values import Status
from memsite.errors import NotFound
from memsite.values import parse_id

_RECALLED = frozenset({Status.ACTIVE, Status.DISPUTED})
#: Findings about which a person decides which side is right.
_DECIDED: Final = frozenset({FindingKind.DISPUTE, FindingKind.CONFLICT})
#: The most reports in a trend, its own included.
LOOKED_BACK: Final = 30


@dataclass(frozen=True, slots=True)
class Point:
    """The score of one day, from 0 to 100."""

    day: date
    score: float


@dataclass(frozen=True, slots=True)
class Trend:
    """The scores of a report and of the reports before it.

    Attributes:
        points: Oldest first; the last is the report's own.
    """

    points: tuple[Point, ...]

    @property
    def change(self) -> float | None:
        """The difference to the previous score; None for the first."""
        return self.points[-1].score - self.points[-2].score if len(self.points) > 1 else None


@dataclass(frozen=True, slots=True)
class DisplayedFinding:
    """A finding with its memories.

    Attributes:
        open: Whether there is still something to fix.
        suggested: For a dispute or conflict, the side that a single click keeps: the newest.
    """

    finding: ReportFinding
    memories: tuple[Memory, ...]
    open: bool
    suggested: UUID | None

    @property
    def sides(self) -> tuple[Memory, ...]:
        """The memories that are still in question."""
        return list_sides(self.finding, self.memories)

    @property
    def mends(self) -> tuple[Mend, ...]:
        """The possible acts; the first is the one for a single click."""
        return MENDS[self.finding.kind] if self.open else ()

    @property
    def whole_mends(self) -> tuple[Mend, ...]:
        """The possible acts that take no side."""
        return tuple(act for act in self.mends if act not in TAKE_A_SIDE)


@dataclass(frozen=True, slots=True)
class NotCompared:
    """Pairs of memories whose comparison failed.

    Attributes:
        count: How many there are.
        pairs: The first 20, without those with an erased memory.
    """

    count: int
    pairs: tuple[tuple[Memory, Memory], ...]


@dataclass(frozen=True, slots=True)
class DisplayedReport:
    """A report with its findings looked up, without those about an erased memory."""

    report: Report
    findings: tuple[DisplayedFinding, ...]
    trend: Trend

    @property
    def open(self) -> int:
        """The number of open findings."""
        return sum(1 for seen in self.findings if seen.open)


def list_reports(*, owner: UUID, kind: ReportKind | None = None) -> QuerySet[Report]:
    """Return the owner's reports, unordered and not evaluated. Without a kind, those of both kinds."""
    rows = Report.objects.filter(owner_id=owner)
    return rows.filter(kind=kind) if kind else rows


def get_report(report_id: str | UUID, *, owner: UUID) -> Report:
    """Return the owner's report of this id.

    Raises:
        NotFound: If there is none.
    """
    identifier = report_id if isinstance(report_id, UUID) else parse_id(report_id)
    found = list_reports(owner=owner).filter(id=identifier).first() if identifier else None
    if found is None:
        raise NotFound("There is no such report.")
    return found


def get_latest_report(kind: ReportKind, *, owner: UUID) -> Report | None:
    """Return the report of the latest day that has one."""
    return list_reports(owner=owner, kind=kind).order_by("-day").first()


def list_scores(*, owner: UUID, until: date | None = None, most: int) -> list[Report]:
    """Return the owner's quality reports with their scores, the newest first, without their bodies.

    Args:
        owner: The owner.
        until: The last day; None for all.
        most: The most reports.
    """
    rows = list_reports(owner=owner, kind=ReportKind.QUALITY).filter(score__isnull=False)
    rows = rows if until is None else rows.filter(day__lte=until)
    return list(rows.defer("body").order_by("-day")[:most])


def load_not_compared(report: Report) -> NotCompared:
    """Return the pairs of a report that could not be compared. Makes one query at most."""
    stored = report.body.get("not_compared", {"count": 0, "pairs": ()})
    pairs = [(UUID(a), UUID(b)) for a, b in stored["pairs"]]
    wanted = {memory for pair in pairs for memory in pair}
    rows = load_memories(wanted, owner=report.owner_id) if wanted else {}
    return NotCompared(
        stored["count"], tuple((rows[a], rows[b]) for a, b in pairs if a in rows and b in rows)
    )


def list_open_findings(kind: str, *, owner: UUID) -> list[DisplayedFinding]:
    """Return the findings of this kind in the latest quality report that are still open. 2 queries."""
    report = get_latest_report(ReportKind.QUALITY, owner=owner)
    stored = report.body.get("findings", ()) if report is not None else ()
    findings = [ReportFinding.from_json(one) for one in stored if one["kind"] == kind]
    return [seen for seen in read_findings(findings, owner=owner) if seen.open]


def read_report(report: Report) -> DisplayedReport:
    """Return the report as it is now, with one query for the memories and one for the trend."""
    findings = [ReportFinding.from_json(one) for one in report.body.get("findings", ())]
    return DisplayedReport(report, tuple(read_findings(findings, owner=report.owner_id)), load_trend(report))


def read_findings(findings: Sequence[ReportFinding], *, owner: UUID) -> list[DisplayedFinding]:
    """Return the findings without erased memories, with the memories as they are now. Makes one query."""
    wanted = {memory for finding in findings for memory in finding.memories}
    rows = load_memories(wanted, owner=owner) if wanted else {}
    return [_seen(finding, rows) for finding in findings if rows.keys() >= set(finding.memories)]


def _seen(finding: ReportFinding, rows: Mapping[UUID, Memory]) -> DisplayedFinding:
    memories = tuple(rows[memory] for memory in finding.memories)
    sides = list_sides(finding, memories) if finding.kind in _DECIDED else ()
    suggested = max(sides, key=_newness).pk if sides else None
    return DisplayedFinding(finding, memories, is_open(finding, memories), suggested)


def list_sides(finding: ReportFinding, memories: tuple[Memory, ...]) -> tuple[Memory, ...]:
    """Return the memories of a finding about several that are still in question; of others, all."""
    if len(memories) == 1:
        return memories
    statuses = {Status.DISPUTED} if finding.why == DISPUTED else _RECALLED
    return tuple(memory for memory in memories if memory.status in statuses)


def _newness(memory: Memory) -> tuple[float, float]:
    """Return the sort key: newer is what became true later, then what was written later."""
    since = memory.valid_from or memory.created_at
    return since.timestamp(), memory.created_at.timestamp()


def _are_marked_distinct(memories: Sequence[Memory]) -> bool:
    ids = {memory.pk for memory in memories}
    pairs = (
        pair for one in memories for pair in list_distinct_pairs(one.pk, one.metadata.get(DISTINCT_FROM))
    )
    return any(ids.issuperset(pair) for pair in pairs)


def is_open(finding: ReportFinding, memories: tuple[Memory, ...]) -> bool:
    """Return whether the finding still holds: of several memories, two are enough."""
    if _are_marked_distinct(memories):
        return False
    if len(memories) == 1:
        return _is_open_alone(finding.kind, memories[0])
    return len(list_sides(finding, memories)) > 1


def _is_open_alone(kind: FindingKind, memory: Memory) -> bool:
    if kind == FindingKind.WAITING:
        return memory.status == Status.PENDING
    still = memory.confidence < REPORT.unsure if kind == FindingKind.UNSURE else not memory.pinned
    return memory.status in _RECALLED and still


def load_trend(report: Report) -> Trend:
    """Return the scores up to a report's day. Makes one query, or none for a report without a score."""
    if report.score is None:
        return Trend(())
    rows = Report.objects.filter(
        owner_id=report.owner_id, kind=ReportKind.QUALITY, day__lte=report.day, score__isnull=False
    )
    days = list(rows.order_by("-day").values_list("day", "score")[:LOOKED_BACK])
    return Trend(tuple(Point(day, score) for day, score in reversed(days) if score is not None))
