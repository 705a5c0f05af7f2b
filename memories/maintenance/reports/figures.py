"""Count an owner's memories in the database: by layer, kind and status, by use and by age."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection

from memories.conf import FORGETTING, REPORT
from memories.maintenance.forgetting import verdicts
from memories.maintenance.reports.findings import FindingKind
from memories.values import HELD_BY_BOUND, Status

#: The period in days for growth, learning and recall.
PERIOD_DAYS: Final = 30
#: The most memories of each kind of finding that a report lists; it counts all of them.
LISTED: Final = 20

#: The months for which a report counts what was learnt and forgotten, its own included.
MONTHS: Final = 12

#: The findings about single memories. A memory is listed under the first that applies.
LISTED_KINDS: Final = (
    FindingKind.WAITING,
    FindingKind.UNSURE,
    FindingKind.LOW_VALUE,
    FindingKind.NEVER_USED,
    FindingKind.STALE,
)

_LAST_USE: Final = "greatest(m.created_at, m.last_accessed_at)"
_LEARNT: Final = "m.layer <> 'episodic' AND m.status IN ('active', 'disputed')"
_LEFT_TO_ITSELF: Final = f"{_LEARNT} AND NOT m.pinned"
_CONDITIONS: Final = {
    "waiting": "m.status = 'pending' AND m.created_at < %(waiting_since)s",
    "unsure": f"{_LEARNT} AND m.confidence < %(unsure)s",
    "low_value": f"{_LEFT_TO_ITSELF} AND {_LAST_USE} < %(cleanup_since)s"
    " AND m.importance < %(cleanup_importance)s AND m.access_count < %(cleanup_uses)s",
    "never_used": f"{_LEFT_TO_ITSELF} AND m.created_at < %(unused_since)s AND m.access_count = 0",
    "stale": f"{_LEFT_TO_ITSELF} AND m.lifespan <> 'core' AND m.access_count > 0"
    f" AND {_LAST_USE} < %(stale_since)s",
}
_VITALITY: Final = verdicts.relevance_sql()
_COUNTED: Final = {
    "total": "true",
    "learnt": _LEARNT,
    "in_use": f"{_LEARNT} AND {_VITALITY} > {FORGETTING.in_use_over}",
    "fading": f"{_LEARNT} AND {_VITALITY} < {FORGETTING.fading_under}",
    **_CONDITIONS,
    "held_by_bound": f"m.status = 'pending' AND m.metadata ? '{HELD_BY_BOUND}'",
    "forgotten": "m.layer <> 'episodic' AND m.status = 'forgotten'",
    "kept": "m.status <> 'forgotten'",
    "not_embedded": "m.status <> 'forgotten' AND NOT EXISTS (SELECT 1 FROM memories_memoryembedding AS e"
    " WHERE e.owner_id = m.owner_id AND e.memory_id = m.id AND e.model = %(model)s)",
    "gained": "m.layer <> 'episodic' AND m.created_at >= %(period_since)s",
    "let_go": "m.layer <> 'episodic' AND m.forgotten_at >= %(period_since)s",
    "put_away": "m.layer <> 'episodic' AND m.status = 'forgotten' AND m.forgotten_by = 'person'"
    " AND m.forgotten_at >= %(period_since)s",
}
_COLUMNS: Final = ", ".join(f"count(*) FILTER (WHERE {one})" for one in _COUNTED.values())
_COUNT: Final = f"""
SELECT m.layer, m.kind, m.status, {_COLUMNS} FROM memories_memory AS m
WHERE m.owner_id = %(owner)s GROUP BY m.layer, m.kind, m.status
"""  # noqa: S608 - built from the constants above, nothing from outside
_WHICH: Final = " ".join(f"WHEN {_CONDITIONS[name]} THEN '{name}'" for name in LISTED_KINDS)
_LIST: Final = f"""
SELECT told, id FROM (
    SELECT told, id, row_number() OVER (PARTITION BY told ORDER BY used, id) AS place FROM (
        SELECT m.id, {_LAST_USE} AS used, CASE {_WHICH} END AS told FROM memories_memory AS m
        WHERE m.owner_id = %(owner)s AND m.status IN ('pending', 'active', 'disputed')
    ) AS judged WHERE told IS NOT NULL
) AS placed WHERE place <= %(listed)s ORDER BY told, place
"""  # noqa: S608 - as above

_BY_MONTH: Final = """
SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM'), sum(gained)::int, sum(let_go)::int FROM (
    SELECT created_at AS moment, 1 AS gained, 0 AS let_go FROM memories_memory
    WHERE owner_id = %(owner)s AND layer <> 'episodic' AND created_at >= %(months_since)s
    UNION ALL
    SELECT forgotten_at, 0, 1 FROM memories_memory
    WHERE owner_id = %(owner)s AND layer <> 'episodic' AND forgotten_at >= %(months_since)s
) AS changes GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class MonthCount:
    """The numbers of memories learnt and forgotten in one month ("2026-05"), without episodes."""

    month: str
    gained: int = 0
    let_go: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of an owner's rows. All except total, waiting, kept and not_embedded exclude episodes.

    Attributes:
        learnt: Active and disputed memories; in_use, fading, unsure, low_value, never_used and stale are
            subsets.
        waiting: Pending for two weeks.
        held_by_bound: Pending because models' answers may retire only so many memories in a day.
        gained: Created in the last 30 days.
        let_go: Forgotten in the last 30 days.
        put_away: Forgotten by a person in the last 30 days.
    """

    total: int = 0
    learnt: int = 0
    in_use: int = 0
    fading: int = 0
    waiting: int = 0
    unsure: int = 0
    low_value: int = 0
    never_used: int = 0
    stale: int = 0
    forgotten: int = 0
    kept: int = 0
    not_embedded: int = 0
    gained: int = 0
    let_go: int = 0
    held_by_bound: int = 0
    put_away: int = 0

    @property
    def steady(self) -> int:
        """Learnt memories that are neither in use nor fading."""
        return self.learnt - self.in_use - self.fading


@dataclass(frozen=True, slots=True)
class Counts:
    """All counts.

    Attributes:
        tally: The sums.
        by_layer: Active, disputed and pending rows by layer.
        by_kind: The same rows by kind.
        by_status: All rows by status.
    """

    tally: Tally
    by_layer: dict[str, int]
    by_kind: dict[str, int]
    by_status: dict[str, int]


def get_day_start(day: date) -> datetime:
    """Return the time from which a day's report measures all ages, so that two runs of one day agree."""
    return datetime.combine(day, time(), tzinfo=UTC)


def count_memories(day: date, *, owner: UUID, model: str) -> Counts:
    """Count the owner's rows in one statement. `model` is the embedding model in use."""
    rows = _rows(_COUNT, day, owner, model=model)
    sums = [sum(row[3 + place] for row in rows) for place in range(len(_COUNTED))]
    tally = Tally(**dict(zip(_COUNTED, sums, strict=True)))
    active = [row for row in rows if row[2] in {Status.PENDING, Status.ACTIVE, Status.DISPUTED}]
    return Counts(tally, _by(active, 0), _by(active, 1), _by(rows, 2))


def list_by_finding(day: date, *, owner: UUID) -> dict[str, list[UUID]]:
    """Return the findings of a report, grouped by kind, each memory at most once.

    Each kind has at most 20 memories, longest unused first.
    """
    found: dict[str, list[UUID]] = {}
    for kind, identifier in _rows(_LIST, day, owner, listed=LISTED):
        found.setdefault(kind, []).append(identifier)
    return found


def count_by_month(day: date, *, owner: UUID) -> list[MonthCount]:
    """Count what was learnt and forgotten in each of the last 12 months, oldest first, in one statement."""
    months = _list_months(day)
    since = datetime.combine(date.fromisoformat(f"{months[0]}-01"), time(), tzinfo=UTC)
    found = {row[0]: MonthCount(*row) for row in _rows(_BY_MONTH, day, owner, months_since=since)}
    return [found.get(month, MonthCount(month)) for month in months]


def _list_months(day: date) -> list[str]:
    last = 12 * day.year + day.month - 1
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(last - MONTHS + 1, last + 1)]


def _rows(statement: str, day: date, owner: UUID, **parameters: Any) -> Sequence[tuple[Any, ...]]:
    at = get_day_start(day)
    ages = {
        "waiting_since": REPORT.waiting_days,
        "unused_since": REPORT.unused_days,
        "stale_since": REPORT.stale_days,
        "cleanup_since": FORGETTING.cleanup_days,
        "period_since": PERIOD_DAYS,
    }
    common_parameters: dict[str, Any] = {name: at - timedelta(days=days) for name, days in ages.items()} | {
        "owner": owner,
        "now": at,
        "unsure": REPORT.unsure,
        "cleanup_importance": FORGETTING.cleanup_importance,
        "cleanup_uses": FORGETTING.cleanup_uses,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, common_parameters | parameters)
        return list(cursor.fetchall())


def _by(rows: Iterable[tuple[Any, ...]], column: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in sorted(rows, key=lambda row: str(row[column])):
        found[row[column]] = found.get(row[column], 0) + row[3]
    return found
