"""Write the log of an owner.

The entries of a transaction are written right before it commits (`write_last`), in one statement: it locks
the owner's counter, numbers the events, stores them, and notifies open streams. So numbers have no gaps and
are given in commit order: a reader who has seen event 7 never meets a new event 6. What is rolled back takes
no number. After the commit of an owner with webhooks, the job that sends the events is queued.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeVar
from uuid import UUID

import orjson
from django.db import connection
from django.utils import timezone

from memsite.events.types import LoggedType
from memsite.jobs import enqueue
from memsite.serving.postgres import acting_for, call_after_commit, write_last
from memsite.values import new_id

T = TypeVar("T")
#: The channel of notices. Their text is an owner's id and the number of the owner's last event.
CHANNEL: Final = "memsite_events"
#: Events in one entry, and entries in one statement, at most.
ENTRY_EVENTS: Final = 1_000
_ENTRIES: Final = 100

_DELIVER: Final = "memsite.events.webhooks.delivering.deliver_due"
#: Seconds that the job which sends events to webhooks may take.
DELIVER_TIMEOUT: Final = 120

# Transactions that notify commit one after the other, so an owner whom no stream watches causes no notice.
_WRITE: Final = """
WITH entries AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%(entries)s::json) AS entry
        (id uuid, earlier bigint, type text, memories uuid[], thread uuid, action text, batch uuid,
         actor text)
), counter AS (
    INSERT INTO events_eventcounter AS c (id, owner_id, application_id, last, logged_at)
    SELECT %(id)s, %(owner)s, u.application_id, %(number)s, %(now)s
    FROM accounts_user AS u WHERE u.id = %(owner)s
    ON CONFLICT (owner_id) DO UPDATE
        SET last = c.last + excluded.last, logged_at = greatest(c.logged_at, excluded.logged_at)
    RETURNING c.last, c.last - %(number)s AS earlier, c.logged_at, c.application_id, c.watched_until,
        c.has_webhooks
), logged AS (
    INSERT INTO events_logentry (id, owner_id, first, last, type, memory_ids, thread_id, action, batch_id,
        actor, created_at, application_id)
    SELECT e.id, %(owner)s, c.earlier + e.earlier + 1, c.earlier + e.earlier + cardinality(e.memories),
        e.type, e.memories, e.thread, e.action, e.batch, e.actor, c.logged_at, c.application_id
    FROM entries AS e, counter AS c
)
SELECT c.has_webhooks, CASE WHEN greatest(c.watched_until, a.watched_until) > clock_timestamp() THEN
    pg_notify(%(channel)s, concat_ws(' ', %(owner)s::text, c.last::text, c.application_id::text)) END
FROM counter AS c LEFT JOIN events_applicationcounter AS a ON a.application_id = c.application_id
"""


@dataclass(frozen=True, slots=True)
class NewEvents:
    """Events of one type and act, to be logged: one for each memory, or a single one.

    Attributes:
        memory_ids: The memories that they are about, in order. None: a single event that is about none.
        thread_id: The thread that they are about.
        action: What was done, where the type says less than is of use; never a text of a person.
        batch_id: The batch that undoes it.
        actor: Who did it.
    """

    owner: UUID
    type: LoggedType
    memory_ids: Sequence[UUID] | None = None
    thread_id: UUID | None = None
    action: str = ""
    batch_id: UUID | None = None
    actor: str = ""


def log_events(new: NewEvents) -> None:
    """Log events when the present transaction commits, after those that it has logged before."""
    if new.memory_ids is None or new.memory_ids:
        write_last(_write_events, new)


def queue_deliveries() -> None:
    """Queue the job that sends events to webhooks, unless it is queued. It finds what is due by itself."""
    enqueue(_DELIVER, unique_key="events.webhooks", timeout=DELIVER_TIMEOUT)


def _write_events(new: list[NewEvents]) -> None:
    has_webhooks = False
    # Owners in order of their ids, so that two transactions over several owners lock the counters alike.
    for owner, theirs in groupby(sorted(new, key=lambda one: one.owner), key=lambda one: one.owner):
        entries = [entry for one in theirs for entry in _split(one)]
        with acting_for(owner), connection.cursor() as cursor:
            for some in _slices(entries, _ENTRIES):
                cursor.execute(_WRITE, _parameters(owner, some))
                has_webhooks |= any(row[0] for row in cursor.fetchall())
    if has_webhooks:
        call_after_commit(queue_deliveries)


def _split(new: NewEvents) -> list[dict[str, Any]]:
    """Return the entries of events."""
    if new.memory_ids is None:
        return [_entry(new, (None,))]
    return [_entry(new, some) for some in _slices(new.memory_ids, ENTRY_EVENTS)]


def _slices(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _entry(new: NewEvents, memory_ids: Sequence[UUID | None]) -> dict[str, Any]:
    return {
        "id": new_id(),
        "type": new.type.value,
        "memories": memory_ids,
        "thread": new.thread_id,
        "action": new.action[:64],
        "batch": new.batch_id,
        "actor": new.actor[:64],
    }


def _parameters(owner: UUID, entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    number = 0
    for entry in entries:
        entry["earlier"] = number
        number += len(entry["memories"])
    return {
        "entries": orjson.dumps(entries).decode(),
        "id": new_id(),
        "owner": owner,
        "number": number,
        "now": timezone.now(),
        "channel": CHANNEL,
    }
