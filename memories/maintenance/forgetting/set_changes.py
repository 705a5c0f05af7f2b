"""Make one set-based change of one owner's memories: rows, events and counters in one statement.

This does for any number of memories what `store.open_batch` does row by row for a few: it locks the ledger,
writes an event with the previous values for every changed row, and increments the index version so that
searches see the change. The batch is undone like any other. The statement commits completely or not at all,
so a process killed at any point leaves each owner either swept or unchanged.
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
from memsite.events.log import NewEvents, log_events
from memsite.events.types import LoggedType
from memsite.serving.postgres import acting_for
from memsite.values import new_id

#: The actor of scheduled changes, as events record it.
SCHEDULE: Final = "schedule"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of many rows.

    Attributes:
        reason: The reason in the events.
        event: The type of the events.
        sets: SQL assignments to a row `m`.
        fields: The fields that these change.
    """

    reason: str
    event: EventType
    sets: str
    fields: tuple[str, ...]

    @property
    def before(self) -> str:
        """The previous values of the fields, as SQL for an event's `before`."""
        pairs = ", ".join(f"'{name}', m.{name}" for name in self.fields)
        return f"jsonb_build_object({pairs})"


@dataclass(frozen=True, slots=True)
class SweepResult:
    """The result of a sweep.

    Attributes:
        count: The number of rows changed.
        batch_id: The id by which the batch can be undone; None if nothing changed.
        memory_ids: The first of the changed memories.
    """

    count: int = 0
    batch_id: UUID | None = None
    memory_ids: tuple[UUID, ...] = ()


def make_forgetting(reason: str) -> Change:
    """Return the change that forgets memories. The reason is also stored in `forgotten_by`."""
    return Change(
        reason,
        EventType.FORGOTTEN,
        f"status = 'forgotten', forgotten_at = {verdicts.NOW}, forgotten_by = '{reason}'",
        ("status", "forgotten_at", "forgotten_by"),
    )


#: The most ids of changed memories that are returned, the oldest first.
MOST_NAMED: Final = 1000

_SWEEP: Final = """
WITH due AS MATERIALIZED (
    SELECT m.id, {before} AS before FROM memories_memory AS m
    WHERE m.owner_id = %(owner)s AND {active} AND {where}
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

_OF_BATCH: Final = """
SELECT memory_id FROM memories_event WHERE owner_id = %s AND batch_id = %s ORDER BY sequence
"""


def apply_change(
    change: Change,
    where: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    owner: UUID,
    now: datetime,
    actor: str = SCHEDULE,
) -> SweepResult:
    """Apply a change to all of an owner's active memories for which `where` holds.

    Args:
        change: The change.
        where: An SQL condition on a row `m`, written by us; outside values belong in `parameters`.
        parameters: Parameters of the condition.
        owner: The owner.
        now: The time of the change.
        actor: Who makes the change.
    """
    statement = _SWEEP.format(
        before=change.before,
        active=verdicts.ACTIVE,
        where=where,
        sets=change.sets,
        now=verdicts.NOW,
        event=change.event.value,
        reason=change.reason,
        most=MOST_NAMED,
    )
    batch = new_id()
    with acting_for(owner), transaction.atomic():
        ledger = lock_ledger(owner=owner)
        numbers = {"version": ledger.index_version + 1, "sequence": ledger.event_sequence, **_event_ids()}
        act_parameters: dict[str, Any] = {"owner": owner, "now": now, "batch": batch, "actor": actor}
        with connection.cursor() as cursor:
            cursor.execute(statement, {**(parameters or {}), **numbers, **act_parameters})
            count, ids = cursor.fetchone()
            changed: list[UUID] = ids
            if count > len(ids):
                cursor.execute(_OF_BATCH, [owner, batch])
                changed = [row[0] for row in cursor.fetchall()]
        event = LoggedType(change.event)
        log_events(NewEvents(owner, event, changed, action=change.reason, batch_id=batch, actor=actor))
    return SweepResult(count, batch, tuple(ids)) if count else SweepResult()


def _event_ids() -> dict[str, Any]:
    """Return the first bytes of new ids, and the number from which their other half counts up.

    The ids are UUIDv7 like all others, without requesting random bytes a million times.
    """
    first = new_id().bytes
    room = ~(1 << 40)  # clears one bit, so that counting up never reaches the bits of the variant
    return {"id_start": first[:8], "id_end": int.from_bytes(first[8:], "big", signed=True) & room}


def list_matching(
    where: str, parameters: Mapping[str, Any] | None = None, *, owner: UUID, now: datetime
) -> Sequence[UUID]:
    """Return the ids of the rows that `apply_change` would change, oldest first."""
    statement = f"""
        SELECT m.id FROM memories_memory AS m
        WHERE m.owner_id = %(owner)s AND {verdicts.ACTIVE} AND {where} ORDER BY m.id
    """  # noqa: S608 - conditions of ours; what comes from outside is in the parameters
    with connection.cursor() as cursor:
        cursor.execute(statement, {**(parameters or {}), "owner": owner, "now": now})
        return [row[0] for row in cursor.fetchall()]
