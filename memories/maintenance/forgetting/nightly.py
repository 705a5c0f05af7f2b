"""Run the nightly pass for every owner: end expired memories, and forget or weaken faded ones.

One statement reads all active memories and finds the owners with something due. Then each owner's part is one
transaction per verdict, in which the verdict is checked again. No state is kept between runs: an interrupted
run is simply repeated, and a repeated run finds nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, groupby
from operator import attrgetter
from typing import Final
from uuid import UUID

import structlog
from django.db import connection
from django.utils import timezone

from memories.maintenance.forgetting import cap, verdicts
from memories.maintenance.forgetting.set_changes import Change, SweepResult, apply_change, make_forgetting
from memories.models import EventType
from memories.storage import usage
from memsite.serving.postgres import across_owners, acting_for

log = structlog.get_logger("memories.maintenance.forgetting")

# The end was known before it came, so it counts as learnt when it came, not when the pass runs.
_EXPIRY: Final = Change(
    verdicts.EXPIRED,
    EventType.UPDATED,
    "status = 'deprecated', ended_at = greatest(m.valid_until, m.created_at)",
    ("status", "ended_at"),
)
CHANGES: Final = {
    verdicts.EXPIRED: _EXPIRY,
    verdicts.SETTLED: Change(verdicts.SETTLED, EventType.UPDATED, "status = 'active'", ("status",)),
    verdicts.LAW: make_forgetting(verdicts.LAW),
    verdicts.CLEANUP: make_forgetting(verdicts.CLEANUP),
    verdicts.LOWERED: Change(verdicts.LOWERED, EventType.UPDATED, verdicts.LOWERING, ("importance",)),
}
_SESSIONS: Final = 2
_FIND: Final = """
SELECT owner_id, verdict, array_agg(id) FROM (
    SELECT m.owner_id, m.id, {verdict} AS verdict FROM memories_memory AS m
    WHERE {active} OFFSET 0
) AS judged WHERE verdict IS NOT NULL GROUP BY owner_id, verdict ORDER BY owner_id, verdict
"""
_STILL_DUE: Final = "m.id = ANY(%(ids)s) AND ({verdict}) = %(verdict)s"


@dataclass(frozen=True, slots=True)
class DueVerdict:
    """One owner's memories with the same verdict."""

    owner: UUID
    verdict: str
    memory_ids: list[UUID]


@dataclass(frozen=True, slots=True)
class _NightlyResult:
    done: Counter[str] = field(default_factory=Counter)
    failures: list[Exception] = field(default_factory=list)


def run_nightly(now: datetime | None = None) -> dict[str, int]:
    """Run the whole pass.

    If the part of one owner fails, the others are still processed; the first error is raised at the end.

    Args:
        now: The time for which all memories are judged; default the present.

    Returns:
        The number of memories by verdict, and of those forgotten by the cap.
    """
    now = now or timezone.now()
    for owner in usage.list_owners_to_roll_up():
        with acting_for(owner):
            usage.roll_up_accesses(owner=owner)
    shares = [list(share) for _, share in groupby(find_due(now), key=attrgetter("owner"))]
    done: Counter[str] = Counter()
    failures: list[Exception] = []
    for worked in _share_out(shares, now):
        done.update(worked.done)
        failures += worked.failures
    done["cap"] = cap.enforce_all_caps(now=now)
    if failures:
        raise failures[0]
    return dict(done)


@across_owners()
def find_due(now: datetime) -> list[DueVerdict]:
    """Return every memory with a verdict, by owner and verdict. Across owners: for the schedule only."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND.format(verdict=verdicts.verdict(), active=verdicts.ACTIVE), {"now": now})
        return [DueVerdict(*row) for row in cursor.fetchall()]


def _share_out(shares: list[list[DueVerdict]], now: datetime) -> list[_NightlyResult]:
    """Process the owners in two database sessions in parallel."""
    waiting = iter(shares)
    if connection.in_atomic_block or len(shares) < _SESSIONS:
        return [_process_due(waiting, now)]
    with ThreadPoolExecutor(_SESSIONS) as pool:
        return list(pool.map(_process_due_by_owner, [waiting] * _SESSIONS, [now] * _SESSIONS))


def _process_due_by_owner(waiting: Iterator[list[DueVerdict]], now: datetime) -> _NightlyResult:
    """Process shares in a thread with its own connection. The shared iterator yields each share once."""
    try:
        return _process_due(waiting, now)
    finally:
        connection.close()


def _process_due(waiting: Iterator[list[DueVerdict]], now: datetime) -> _NightlyResult:
    worked = _NightlyResult()
    for due in chain.from_iterable(waiting):
        try:
            worked.done[due.verdict] += apply_verdict(due, now).count
        except Exception as error:  # noqa: BLE001 - raised by `run_nightly`, after the other owners
            log.warning("the nightly pass failed for an owner", owner=str(due.owner), verdict=due.verdict)
            worked.failures.append(error)
    return worked


def apply_verdict(due: DueVerdict, now: datetime) -> SweepResult:
    """Apply a verdict to those of one owner's memories for which it still holds. One batch."""
    parameters = {"ids": due.memory_ids, "verdict": due.verdict}
    still_due = _STILL_DUE.format(verdict=verdicts.verdict())
    return apply_change(CHANGES[due.verdict], still_due, parameters, owner=due.owner, now=now)
