"""The nightly pass: what has expired ends, what has faded is let go or weighs less, for every owner.

One statement reads all memories that stand and finds whose something is due; then each owner's part
is one transaction a verdict, in which the verdict is asked again. Nothing is kept between runs: one that
was cut off is simply run again, and one that is repeated finds nothing to do.
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
from memories.maintenance.forgetting.sweeping import Change, Swept, forgetting, sweep
from memories.models import EventType
from memories.storage import usage

log = structlog.get_logger("memories.maintenance.forgetting")

# The end was known before it came, so it is learnt when it comes, not when this night does.
_EXPIRY: Final = Change(
    verdicts.EXPIRED,
    EventType.UPDATED,
    "status = 'deprecated', ended_at = greatest(m.valid_until, m.created_at)",
    ("status", "ended_at"),
)
CHANGES: Final = {
    verdicts.EXPIRED: _EXPIRY,
    verdicts.SETTLED: Change(verdicts.SETTLED, EventType.UPDATED, "status = 'active'", ("status",)),
    verdicts.LAW: forgetting(verdicts.LAW),
    verdicts.CLEANUP: forgetting(verdicts.CLEANUP),
    verdicts.LOWERED: Change(verdicts.LOWERED, EventType.UPDATED, verdicts.LOWERING, ("importance",)),
}
_SESSIONS: Final = 2
_FIND: Final = f"""
SELECT owner_id, verdict, array_agg(id) FROM (
    SELECT m.owner_id, m.id, {verdicts.VERDICT} AS verdict FROM memories_memory AS m
    WHERE {verdicts.STANDS} OFFSET 0
) AS judged WHERE verdict IS NOT NULL GROUP BY owner_id, verdict ORDER BY owner_id, verdict
"""  # noqa: S608 - built from constants, nothing from outside
_STILL_DUE: Final = f"m.id = ANY(%(ids)s) AND ({verdicts.VERDICT}) = %(verdict)s"


@dataclass(frozen=True, slots=True)
class Due:
    """One owner's memories that meet with one verdict."""

    owner: UUID
    verdict: str
    memory_ids: list[UUID]


@dataclass(frozen=True, slots=True)
class _Worked:
    done: Counter[str] = field(default_factory=Counter)
    failures: list[Exception] = field(default_factory=list)


def run(now: datetime | None = None) -> dict[str, int]:
    """The whole pass; how many memories met with each verdict, and how many the cap let go.

    now: the moment all of it is judged at, default the present. An owner whose part fails does not
    keep others from theirs; the first such error is raised at the end.
    """
    now = now or timezone.now()
    for owner in usage.owners_to_roll_up():
        usage.roll_up(owner=owner)
    shares = [list(share) for _, share in groupby(find_due(now), key=attrgetter("owner"))]
    done: Counter[str] = Counter()
    failures: list[Exception] = []
    for worked in _share_out(shares, now):
        done.update(worked.done)
        failures += worked.failures
    done["cap"] = cap.enforce_all(now=now)
    if failures:
        raise failures[0]
    return dict(done)


def find_due(now: datetime) -> list[Due]:
    """Every memory with a verdict, by owner and verdict. Across owners: for the schedule alone."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND, {"now": now})
        return [Due(*row) for row in cursor.fetchall()]


def _share_out(shares: list[list[Due]], now: datetime) -> list[_Worked]:
    """Owner by owner, in two sessions of the database side by side."""
    waiting = iter(shares)
    if connection.in_atomic_block or len(shares) < _SESSIONS:
        return [_work_off(waiting, now)]
    with ThreadPoolExecutor(_SESSIONS) as pool:
        return list(pool.map(_work_off_apart, [waiting] * _SESSIONS, [now] * _SESSIONS))


def _work_off_apart(waiting: Iterator[list[Due]], now: datetime) -> _Worked:
    """In a thread of its own, which has a connection of its own. One iterator gives each share once."""
    try:
        return _work_off(waiting, now)
    finally:
        connection.close()


def _work_off(waiting: Iterator[list[Due]], now: datetime) -> _Worked:
    worked = _Worked()
    for due in chain.from_iterable(waiting):
        try:
            worked.done[due.verdict] += carry_out(due, now).count
        except Exception as error:  # noqa: BLE001 - raised by `run`, after the others had theirs
            log.warning("an owner's part of the night failed", owner=str(due.owner), verdict=due.verdict)
            worked.failures.append(error)
    return worked


def carry_out(due: Due, now: datetime) -> Swept:
    """Do to one owner's memories what is due, to those of which it is still true. One batch."""
    parameters = {"ids": due.memory_ids, "verdict": due.verdict}
    return sweep(CHANGES[due.verdict], _STILL_DUE, parameters, owner=due.owner, now=now)
