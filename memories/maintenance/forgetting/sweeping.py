"""One set-based change of one owner's memories: rows, events and counters in one statement.

What `store.writing` does row by row for a few memories, this does for any number: the ledger is
locked, every changed row gets an event with what stood before, the index version moves so that
searches see it. The batch is undone like any other. The statement commits whole or not at all, so
a process killed at any point leaves each owner either swept or as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from memories.maintenance.forgetting import verdicts
from memories.models import EventType
from memories.storage import lock_ledger
from memsite.ids import new_id

#: Who does what happens by the clock, as events record it.
SCHEDULE: Final = "schedule"


@dataclass(frozen=True, slots=True)
class Change:
    """reason: as events give it. sets: SQL assignments to a row `m`. fields: what these change."""

    reason: str
    event: EventType
    sets: str
    fields: tuple[str, ...]

    @property
    def before(self) -> str:
        """The fields as they stand, as SQL for an event's `before`."""
        pairs = ", ".join(f"'{name}', m.{name}" for name in self.fields)
        return f"jsonb_build_object({pairs})"


@dataclass(frozen=True, slots=True)
class Swept:
    """What changed. batch_id: undoes it; None when nothing did. memory_ids: the first of them."""

    count: int = 0
    batch_id: UUID | None = None
    memory_ids: tuple[UUID, ...] = ()


def forgetting(reason: str) -> Change:
    """Forgotten softly. The reason also says who did it, in `forgotten_by`."""
    return Change(
        reason,
        EventType.FORGOTTEN,
        f"status = 'forgotten', forgotten_at = {verdicts.NOW}, forgotten_by = '{reason}'",
        ("status", "forgotten_at", "forgotten_by"),
    )


#: How many ids of changed memories are named, the oldest first.
MOST_NAMED: Final = 1000

_SWEEP: Final = """
WITH due AS MATERIALIZED (
    SELECT m.id, {before} AS before FROM memories_memory AS m
    WHERE m.owner_id = %(owner)s AND {stands} AND {where}
), changed AS (
    UPDATE memories_memory AS m SET {sets}, updated_at = {now}, index_version = %(version)s
    FROM due WHERE m.owner_id = %(owner)s AND m.id = due.id
    RETURNING m.id, due.before
), noted AS (
    INSERT INTO memories_event
        (id, owner_id, sequence, type, memory_id, batch_id, actor, reason, before, created_at)
    SELECT encode(%(id_start)s::bytea || int8send(%(id_end)s + number), 'hex')::uuid, %(owner)s,
        %(sequence)s + number, '{event}', id, %(batch)s, %(actor)s, '{reason}', before, {now}
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS number FROM changed) AS numbered
), counted AS (
    SELECT count(*) AS number FROM changed
), moved AS (
    UPDATE memories_ledger SET index_version = %(version)s, event_sequence = %(sequence)s + counted.number
    FROM counted WHERE owner_id = %(owner)s AND counted.number > 0
)
SELECT counted.number, ARRAY(SELECT id FROM changed ORDER BY id LIMIT {most}) FROM counted
"""


def sweep(
    change: Change,
    where: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    owner: UUID,
    now: datetime,
    actor: str = SCHEDULE,
) -> Swept:
    """Make a change to all of an owner's standing memories for which `where` holds.

    where: an SQL condition of ours on a row `m`; what comes from outside is in `parameters`.
    """
    statement = _SWEEP.format(
        before=change.before,
        stands=verdicts.STANDS,
        where=where,
        sets=change.sets,
        now=verdicts.NOW,
        event=change.event.value,
        reason=change.reason,
        most=MOST_NAMED,
    )
    batch = new_id()
    with transaction.atomic():
        ledger = lock_ledger(owner=owner)
        numbers = {"version": ledger.index_version + 1, "sequence": ledger.event_sequence, **_event_ids()}
        known: dict[str, Any] = {"owner": owner, "now": now, "batch": batch, "actor": actor}
        with connection.cursor() as cursor:
            cursor.execute(statement, {**(parameters or {}), **numbers, **known})
            count, ids = cursor.fetchone()
    return Swept(count, batch, tuple(ids)) if count else Swept()


def _event_ids() -> dict[str, Any]:
    """The bytes that new ids begin with, and the number their other half counts up from.

    The ids are UUIDv7 like all others, without asking for random bytes a million times.
    """
    first = new_id().bytes
    room = ~(1 << 40)  # a bit that is 0: counting up never reaches the variant's bits
    return {"id_start": first[:8], "id_end": int.from_bytes(first[8:], "big", signed=True) & room}


def matching(
    where: str, parameters: Mapping[str, Any] | None = None, *, owner: UUID, now: datetime
) -> Sequence[UUID]:
    """The ids of what `sweep` would change, oldest first."""
    statement = f"""
        SELECT m.id FROM memories_memory AS m
        WHERE m.owner_id = %(owner)s AND {verdicts.STANDS} AND {where} ORDER BY m.id
    """  # noqa: S608 - conditions of ours; what comes from outside is in the parameters
    with connection.cursor() as cursor:
        cursor.execute(statement, {**(parameters or {}), "owner": owner, "now": now})
        return [row[0] for row in cursor.fetchall()]
