"""Number the events of all end users of an application in one order.

Each end user has a log of their own, whose writers know nothing of the others. The order over all of them is
made when somebody reads it: then the events that have no number in it yet get one, once and for good. So the
writers of an application's end users never wait for each other.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db import connection, transaction

from memsite.serving.postgres import across_owners

#: Entries that get their numbers in one transaction.
_AT_ONCE: Final = 2_000

_HAS_NEW: Final = """
SELECT EXISTS (
    SELECT FROM events_logentry AS e
    WHERE e.application_id = c.application_id AND e.application_last IS NULL
        AND e.created_at > c.since - interval '1 minute'
) FROM events_applicationcounter AS c WHERE c.application_id = %s
"""
_LOCK: Final = """
INSERT INTO events_applicationcounter AS c (application_id, last, since) VALUES (%s, 0, clock_timestamp())
ON CONFLICT (application_id) DO UPDATE SET last = c.last
"""
# An entry carries the time at which its transaction was about to commit: one that was under way when the
# order began belongs to it. Within an owner's log the numbers follow its own.
_NUMBER: Final = """
WITH fresh AS (
    SELECT e.id, e.owner_id, e.last - e.first + 1 AS number, e.last
    FROM events_logentry AS e JOIN events_applicationcounter AS c ON c.application_id = e.application_id
    WHERE e.application_id = %(id)s AND e.application_last IS NULL
        AND e.created_at > c.since - interval '1 minute'
    ORDER BY e.owner_id, e.last LIMIT %(most)s
), counted AS (
    SELECT id, owner_id, sum(number) OVER (ORDER BY owner_id, last) AS through FROM fresh
), numbered AS (
    UPDATE events_logentry AS e SET application_last = c.last + counted.through
    FROM counted, events_applicationcounter AS c
    WHERE e.owner_id = counted.owner_id AND e.id = counted.id AND c.application_id = %(id)s
)
UPDATE events_applicationcounter SET last = last + (SELECT max(through) FROM counted)
WHERE application_id = %(id)s AND EXISTS (SELECT 1 FROM counted)
RETURNING (SELECT count(*) FROM counted)
"""


@across_owners()
def number_new_events(application: UUID) -> None:
    """Number the events of an application's end users that have no number in its order yet.

    Across owners: the application's own end users alone.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HAS_NEW, [application])
        has_new = cursor.fetchone() or (True,)  # without a row, the order begins now
    found = _AT_ONCE if has_new[0] else 0
    while found == _AT_ONCE:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_LOCK, [application])
            cursor.execute(_NUMBER, {"id": application, "most": _AT_ONCE})
            (found,) = cursor.fetchone() or (0,)
