"""Project what a report's score becomes when findings are mended, by the formula of the report.

The figures of the report are changed by what a mend does to its memories: what is forgotten is no longer
learnt, what is confirmed is no longer unsure, and so on. The figures are those of the report's day, so that
the next report may differ by what happened meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime, timedelta
from uuid import UUID

from memories.conf import REPORT
from memories.maintenance.forgetting import law
from memories.maintenance.reports.displayed_report import DisplayedFinding, DisplayedReport
from memories.maintenance.reports.figures import get_day_start
from memories.maintenance.reports.findings import FindingKind, Mend
from memories.maintenance.reports.score import Figures, compute_score
from memories.models import Memory
from memories.values import Lifespan, Status

_RECALLED = frozenset({Status.ACTIVE, Status.DISPUTED})
_LEAST_FIGURES = frozenset({"learnt", "kept"})


@dataclass(frozen=True, slots=True)
class ProjectedScore:
    """Scores from 0 to 100.

    Attributes:
        now: The score now, with the findings that were mended since the report.
        all_mended: The score if every open finding is mended by its first act.
        by_finding: The score if one finding is mended, by the finding's id.
        by_kind: The score if all open findings of one kind are mended.
    """

    now: float
    all_mended: float
    by_finding: dict[str, float]
    by_kind: dict[FindingKind, float]


@dataclass(frozen=True, slots=True)
class _MendedFinding:
    """A finding and the act that mends it; None if a memory of it is gone for another reason."""

    seen: DisplayedFinding
    act: Mend | None


def project_score(displayed: DisplayedReport) -> ProjectedScore | None:
    """Return the projected scores, or None for a report without figures. Makes no query."""
    stored = displayed.report.body.get("figures", {})
    if displayed.report.score is None or not stored.keys() >= _LEAST_FIGURES:
        return None
    names = {one.name for one in fields(Figures)}
    figures = Figures(**{name: number for name, number in stored.items() if name in names})
    day = displayed.report.day
    settled = [_MendedFinding(seen, find_act(seen)) for seen in displayed.findings if not seen.open]
    open_ = [_MendedFinding(seen, seen.mends[0]) for seen in displayed.findings if seen.open]
    conflicts = [
        seen
        for seen in displayed.findings
        if seen.finding.kind in {FindingKind.DISPUTE, FindingKind.CONFLICT}
    ]

    def score(mended: Iterable[_MendedFinding]) -> float:
        return compute_score(_project([*settled, *mended], conflicts, figures, day))

    return ProjectedScore(
        now=score([]),
        all_mended=score(open_),
        by_finding={one.seen.finding.id: score([one]) for one in open_},
        by_kind={
            kind: score([one for one in open_ if one.seen.finding.kind == kind])
            for kind in {one.seen.finding.kind for one in open_}
        },
    )


def find_act(seen: DisplayedFinding) -> Mend | None:
    """Return the act that settled a finding, as far as its memories show it."""
    kind, memories = seen.finding.kind, seen.memories
    if len(memories) > 1:
        left = sum(memory.status in _RECALLED for memory in memories)
        if left == len(memories):
            return Mend.BOTH
        return Mend.MERGE if kind == FindingKind.DUPLICATES else Mend.KEEP
    (memory,) = memories
    if memory.status == Status.FORGOTTEN:
        return Mend.FORGET
    if memory.status not in _RECALLED:
        return None
    return Mend.CONFIRM if kind in {FindingKind.WAITING, FindingKind.UNSURE} else Mend.PIN


def _project(
    mended: Sequence[_MendedFinding], conflicts: Sequence[DisplayedFinding], figures: Figures, day: date
) -> Figures:
    """Return the figures of a report, which has these conflicts, after some mends."""
    change: Counter[str] = Counter()
    gone: set[UUID] = set()
    done = {one.seen.finding.id for one in mended}
    for one in mended:
        for memory in _list_leaving(one):
            if memory.pk not in gone:
                gone.add(memory.pk)
                change.subtract(_count(memory, one.seen.finding.kind, day))
        change.update(_count_act(one, day))
    left = [seen for seen in conflicts if seen.finding.id not in done]
    before = {memory for seen in conflicts for memory in seen.finding.memories}
    after = {
        memory for seen in left for memory in seen.finding.memories if gone.isdisjoint(seen.finding.memories)
    }
    change["contradicted"] -= len(before) - len(after)
    return Figures(**{name: max(0, number + change[name]) for name, number in asdict(figures).items()})


def _list_leaving(one: _MendedFinding) -> list[Memory]:
    """Return the memories that are no longer recalled after a mend; of merged ones, all but one."""
    memories, finding = list(one.seen.memories), one.seen.finding
    if one.act == Mend.MERGE:
        return memories[1:]
    if one.act in {Mend.KEEP, Mend.PAST}:
        if one.seen.open:
            return [memory for memory in one.seen.sides if memory.pk != one.seen.suggested]
        return [memory for memory in memories if memory.status not in _RECALLED]
    is_leaving = one.act in {Mend.FORGET, None}
    return memories if is_leaving and finding.kind != FindingKind.WAITING else []


def _count_act(one: _MendedFinding, day: date) -> dict[str, int]:
    """Return what an act changes besides the memories that leave."""
    kind, memory = one.seen.finding.kind, one.seen.memories[0]
    match one.act:
        case Mend.FORGET:
            return {"forgotten": 1, "put_away": 1, "kept": -1}
        case Mend.CONFIRM if kind == FindingKind.WAITING:
            return _count(memory, kind, day)
        case Mend.CONFIRM:
            return {"unsure": -1}
        case Mend.PIN:
            counted = _count(memory, kind, day)
            return {name: -counted[name] for name in ("never_used", "stale")}
        case Mend.MERGE | Mend.BOTH if kind == FindingKind.DUPLICATES:
            return {"copies": 1 - len(one.seen.memories)}
        case _:
            return {}


def _count(memory: Memory, kind: FindingKind, day: date) -> dict[str, int]:
    """Return how a memory counts among the figures of a day's report, as its finding saw it."""
    at = get_day_start(day)
    use = max(memory.created_at, memory.last_accessed_at or memory.created_at)
    relevance = law.compute_relevance(
        days=(at - use) / timedelta(days=1),
        access_count=memory.access_count,
        importance=memory.importance,
        lifespan=Lifespan(memory.lifespan),
    )
    vitality = law.classify_vitality(relevance)
    unused = memory.access_count == 0 and memory.created_at < _before(at, REPORT.unused_days)
    stale = memory.access_count > 0 and use < _before(at, REPORT.stale_days)
    return {
        "learnt": 1,
        "in_use": int(vitality == "in_use"),
        "steady": int(vitality == "steady"),
        "unsure": int(kind == FindingKind.UNSURE or memory.confidence < REPORT.unsure),
        "never_used": int(kind == FindingKind.NEVER_USED or (unused and not memory.pinned)),
        "stale": int(
            kind == FindingKind.STALE or (stale and not memory.pinned and memory.lifespan != Lifespan.CORE)
        ),
    }


def _before(at: datetime, days: float) -> datetime:
    return at - timedelta(days=days)
