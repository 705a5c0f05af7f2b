"""Prepare a report for its page: the findings by kind with what their mends gain, the terms as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any, Final
from uuid import UUID

from memories.maintenance import (
    DisplayedFinding,
    DisplayedReport,
    FindingKind,
    ProjectedScore,
    displayed_report,
    project_score,
)
from memories.models import Memory, Report, ReportKind
from memories.pages.conflicts.disputes import MOST_SIDES, load_disputes, name_question
from memories.pages.report.report_charts import ReportCharts, draw_charts
from memories.pages.report.report_labels import FINDING_LABELS, TERM_LABELS
from memsite.web.settings_parts import SettingsPart

#: With fewer learnt memories, the page says that the report cannot say much.
FEW: Final = 10
#: Differences of less than this are not shown.
LEAST_DIFFERENCE: Final = 0.05
_DECIDED: Final = frozenset({FindingKind.DISPUTE, FindingKind.CONFLICT})
#: The reports listed below the latest.
_MOST_LISTED: Final = 6


@dataclass(frozen=True, slots=True)
class ListedFinding:
    """An open finding, and the points that its first mend gains; 0 if too few to show.

    Attributes:
        question: What its sides answer; "" if that is not known.
        sides: The newest sides of a dispute or conflict, the newest first; else all memories.
        older: The other sides.
    """

    seen: DisplayedFinding
    gain: float
    question: str
    sides: tuple[Memory, ...]
    older: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The open findings of one kind.

    Attributes:
        count: Their total number, those that are not listed included.
        score: The score if all listed ones are mended; None if it would not rise.
    """

    kind: FindingKind
    label: str
    findings: list[ListedFinding]
    count: int
    score: float | None

    @property
    def decides(self) -> bool:
        """Whether a person decides which side is right."""
        return self.kind in _DECIDED


@dataclass(frozen=True, slots=True)
class Bar:
    """One term of the score. `value` is from 0 to 1; `lost` is the points it costs."""

    label: str
    value: float
    lost: float


@dataclass(frozen=True, slots=True)
class ListedReport:
    """One report of the history. `change`: the difference to the score before; None for the first."""

    report: Report
    change: float | None


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A report as its page shows it.

    Attributes:
        reading: The report as it is now.
        projected: What mends change; None for an older report.
        groups: The open findings; none for an older report, which is not mended.
        not_compared: The pairs that could not be compared.
        history: This report and those before it, the newest first.
    """

    reading: DisplayedReport
    body: dict[str, Any]
    charts: ReportCharts
    projected: ProjectedScore | None
    groups: list[Group]
    bars: list[Bar]
    not_compared: displayed_report.NotCompared
    history: list[ListedReport]

    @property
    def is_small(self) -> bool:
        """Whether there are too few memories for the report to say much."""
        return int(self.body["figures"]["learnt"]) < FEW

    @property
    def score_now(self) -> float | None:
        """The score with what was mended since the report; None if it is the same."""
        return self._other_score(self.projected.now) if self.projected else None

    @property
    def score_mended(self) -> float | None:
        """The score if everything that is listed is mended; None if it would not rise."""
        if self.projected is None or self.projected.all_mended < self.projected.now + LEAST_DIFFERENCE:
            return None
        return self.projected.all_mended

    def _other_score(self, score: float) -> float | None:
        before = self.reading.report.score or 0.0
        return score if abs(score - before) >= LEAST_DIFFERENCE else None


def build_page(report: Report, *, is_latest: bool) -> ReportPage:
    """Return a quality report for its page.

    Makes 3 queries; one more if there are disputes, and one if a pair could not be compared.
    """
    reading = displayed_report.read_report(report)
    projected = project_score(reading) if is_latest else None
    earlier = displayed_report.list_scores(owner=report.owner_id, until=report.day, most=_MOST_LISTED + 1)
    return ReportPage(
        reading=reading,
        body=report.body,
        charts=draw_charts(reading),
        projected=projected,
        groups=group_findings(reading, projected) if is_latest else [],
        bars=build_bars(report.body),
        not_compared=displayed_report.load_not_compared(report),
        history=list_history(earlier)[:_MOST_LISTED],
    )


def load_status_part(*, owner: UUID) -> SettingsPart:
    """Return the part of the status page about memories that the latest report could not compare."""
    report = displayed_report.get_latest_report(ReportKind.QUALITY, owner=owner)
    found = displayed_report.load_not_compared(report) if report is not None else None
    return SettingsPart("memories/report/_not_compared.html", {"not_compared": found})


def group_findings(reading: DisplayedReport, projected: ProjectedScore | None) -> list[Group]:
    """Return the open findings by kind, the most serious first."""
    found = []
    for kind in FindingKind:
        findings = [seen for seen in reading.findings if seen.open and seen.finding.kind == kind]
        if findings:
            count = max(len(findings), _count(kind, reading))
            listed = [_list_finding(seen, projected) for seen in findings]
            score = projected.by_kind.get(kind) if projected else None
            if projected is None or score is None or score < projected.now + LEAST_DIFFERENCE:
                score = None
            found.append(Group(kind, str(FINDING_LABELS[kind]), listed, count, score))
    return found


def build_bars(body: dict[str, Any]) -> list[Bar]:
    """Return the terms, those that cost most points first."""
    found = [
        Bar(str(TERM_LABELS[term["name"]]), term["value"], term["weight"] * (1 - term["value"]))
        for term in body.get("terms", ())
        if term["name"] in TERM_LABELS
    ]
    return sorted(found, key=lambda bar: -bar.lost)


def list_history(reports: Sequence[Report]) -> list[ListedReport]:
    """Return reports, the newest first, each with the change since the one after it in the list."""
    changes = [
        None if after.score is None or before.score is None else after.score - before.score
        for after, before in pairwise(reports)
    ]
    return [ListedReport(*pair) for pair in zip_longest(reports, changes)]


def _count(kind: FindingKind, reading: DisplayedReport) -> int:
    """Return how many findings of a kind there are: of disputes now, as everywhere, else when it was made."""
    figures = reading.report.body.get("figures", {})
    if kind == FindingKind.DISPUTE:
        return load_disputes(owner=reading.report.owner_id, most=0)[1]
    if kind == FindingKind.CONFLICT:
        return int(figures.get("conflicts", 0)) - int(figures.get("disputes", figures.get("conflicts", 0)))
    return int(figures.get(kind, 0))


def _list_finding(seen: DisplayedFinding, projected: ProjectedScore | None) -> ListedFinding:
    if seen.finding.kind not in _DECIDED:
        return ListedFinding(seen, _gain(seen, projected), "", seen.memories, ())
    sides = sorted(seen.sides, key=lambda memory: (memory.pk == seen.suggested, memory.pk), reverse=True)
    question = name_question([memory.content for memory in sides])
    shown, older = tuple(sides[:MOST_SIDES]), tuple(sides[MOST_SIDES:])
    return ListedFinding(seen, _gain(seen, projected), question, shown, older)


def _gain(seen: DisplayedFinding, projected: ProjectedScore | None) -> float:
    gain = projected.by_finding[seen.finding.id] - projected.now if projected else 0.0
    return gain if gain >= LEAST_DIFFERENCE else 0.0
