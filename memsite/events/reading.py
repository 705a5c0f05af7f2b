"""Read the log of an owner, or the events of all end users of an application."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from memsite.events.application_order import number_new_events
from memsite.events.types import RESET
from memsite.serving.postgres import across_owners, acting_for

#: Events that one page has at most.
PAGE_EVENTS: Final = 500


@dataclass(frozen=True, slots=True)
class Subject:
    """The source of the events to read: one owner, or all end users of an application.

    Attributes:
        id: The id of the owner, or of the application.
    """

    id: UUID
    is_application: bool = False


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """One event of a log.

    Attributes:
        number: Its number in the order that was read.
        user: The application's own id of its end user; only in an application's order.
    """

    number: int
    type: str
    created_at: datetime
    memory_id: UUID | None
    thread_id: UUID | None
    action: str
    batch_id: UUID | None
    actor: str
    user: str | None = None


@dataclass(frozen=True, slots=True)
class LogState:
    """The state of a log.

    Attributes:
        last: The number of the newest event; 0 if there never was one.
        first: The number of the oldest event that is kept; `last` + 1 if none is.
    """

    last: int
    first: int

    def continues(self, after: int) -> bool:
        """Return whether every event after this number is in the log."""
        return self.first - 1 <= after <= self.last


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in order.

    Attributes:
        last: The number up to which the log was read, also where a filter left events out.
        more: Whether events follow.
    """

    events: Sequence[LoggedEvent]
    last: int
    more: bool


_OWNER_STATE: Final = """
SELECT c.last, (
    SELECT e.first FROM events_logentry AS e
    WHERE e.owner_id = c.owner_id AND e.created_at >= %(kept_since)s ORDER BY e.last LIMIT 1
) FROM events_eventcounter AS c WHERE c.owner_id = %(id)s
"""
_APPLICATION_STATE: Final = """
SELECT c.last, (
    SELECT e.application_last - (e.last - e.first) FROM events_logentry AS e
    WHERE e.application_id = c.application_id AND e.application_last IS NOT NULL
        AND e.created_at >= %(kept_since)s
    ORDER BY e.application_last LIMIT 1
) FROM events_applicationcounter AS c WHERE c.application_id = %(id)s
"""
# Counter and entries are seen as of the same moment, so all events up to the counter's are there.
_OWNER_PAGE: Final = """
SELECT c.last, page.* FROM events_eventcounter AS c
LEFT JOIN LATERAL (
    SELECT e.first + m.place - 1 AS number, e.type, e.created_at, m.memory_id, e.thread_id, e.action,
        e.batch_id, e.actor
    FROM events_logentry AS e CROSS JOIN LATERAL unnest(e.memory_ids) WITH ORDINALITY AS m (memory_id, place)
    WHERE e.owner_id = c.owner_id AND e.last > %(after)s AND e.first + m.place - 1 > %(after)s
        AND (%(types)s::text[] IS NULL OR e.type = ANY(%(types)s))
    ORDER BY e.last, m.place LIMIT %(most)s
) AS page ON true
WHERE c.owner_id = %(id)s
"""
_APPLICATION_PAGE: Final = """
SELECT c.last, page.* FROM events_applicationcounter AS c
LEFT JOIN LATERAL (
    SELECT e.application_last - e.last + e.first + m.place - 1 AS number, e.type, e.created_at, m.memory_id,
        e.thread_id, e.action, e.batch_id, e.actor, u.external_id
    FROM events_logentry AS e JOIN accounts_user AS u ON u.id = e.owner_id
    CROSS JOIN LATERAL unnest(e.memory_ids) WITH ORDINALITY AS m (memory_id, place)
    WHERE e.application_id = c.application_id AND e.application_last > %(after)s
        AND e.application_last - e.last + e.first + m.place - 1 > %(after)s
        AND (%(types)s::text[] IS NULL OR e.type = ANY(%(types)s))
    ORDER BY e.application_last, m.place LIMIT %(most)s
) AS page ON true
WHERE c.application_id = %(id)s
"""


def get_log_state(subject: Subject) -> LogState:
    """Return which events of a log there are."""
    statement = _APPLICATION_STATE if subject.is_application else _OWNER_STATE
    kept_since = timezone.now() - timedelta(days=settings.MEMSITE_EVENT_DAYS)
    with _reading(subject), connection.cursor() as cursor:
        cursor.execute(statement, {"id": subject.id, "kept_since": kept_since})
        last, first = cursor.fetchone() or (0, None)
    return LogState(last, last + 1 if first is None else first)


def load_events(
    subject: Subject, after: int, types: Sequence[str] | None = None, *, most: int = PAGE_EVENTS
) -> EventPage:
    """Return the events after a number, oldest first.

    Args:
        subject: Whose events.
        after: The number of the last event that is not returned.
        types: The types to return; None for all.
        most: Events to return at most.
    """
    statement = _APPLICATION_PAGE if subject.is_application else _OWNER_PAGE
    parameters: dict[str, Any] = {
        "id": subject.id,
        "after": after,
        "types": None if types is None else list(types),
        "most": most,
    }
    with _reading(subject), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows = cursor.fetchall()
    events = [LoggedEvent(*row[1:]) for row in rows if row[1] is not None]
    newest = max(rows[0][0], after) if rows else after
    last = events[-1].number if len(events) == most else newest
    return EventPage(events, last, more=last < newest)


def render_event(event: LoggedEvent) -> dict[str, Any]:
    """Return an event as programs receive it."""
    rendered = {
        "id": event.number,
        "type": event.type,
        "created_at": event.created_at.isoformat().replace("+00:00", "Z"),
        "memory": str(event.memory_id) if event.memory_id else None,
        "thread": str(event.thread_id) if event.thread_id else None,
        "action": event.action or None,
        "batch_id": str(event.batch_id) if event.batch_id else None,
        "actor": event.actor or None,
    }
    return rendered if event.user is None else {**rendered, "user": event.user}


def make_reset(state: LogState) -> dict[str, Any]:
    """Return the event that says: the log does not continue where you stopped, fetch everything anew."""
    return render_event(LoggedEvent(state.last, RESET, timezone.now(), None, None, "", None, ""))


@contextmanager
def _reading(subject: Subject) -> Iterator[None]:
    if not subject.is_application:
        with acting_for(subject.id):
            yield
        return
    number_new_events(subject.id)
    with across_owners():
        yield
