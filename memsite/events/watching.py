"""Record which logs are watched, for their writers, and look for events whose notice was lost."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.db import connection, transaction

from memsite.events.reading import Subject
from memsite.serving.postgres import across_owners, acting_for
from memsite.values import new_id

#: Seconds for which a log counts as watched after the last sign of a stream, in SQL.
_WATCHED: Final = "clock_timestamp() + interval '2 minutes'"
_WATCH_OWNER: Final = f"""
INSERT INTO events_eventcounter AS c (id, owner_id, application_id, last, logged_at, watched_until)
SELECT %(row)s, u.id, u.application_id, 0, clock_timestamp(), {_WATCHED}
FROM accounts_user AS u WHERE u.id = %(id)s
ON CONFLICT (owner_id) DO UPDATE SET watched_until = {_WATCHED}
"""  # noqa: S608 - a constant of ours
_WATCH_APPLICATION: Final = f"""
INSERT INTO events_applicationcounter AS c (application_id, last, since, watched_until)
VALUES (%(id)s, 0, clock_timestamp(), {_WATCHED})
ON CONFLICT (application_id) DO UPDATE SET watched_until = {_WATCHED}
"""  # noqa: S608 - likewise
# A counter that is locked belongs to a writer or to another process's renewal; the next one will do.
_RENEW_OWNERS: Final = f"""
UPDATE events_eventcounter SET watched_until = {_WATCHED} WHERE owner_id IN (
    SELECT owner_id FROM events_eventcounter
    WHERE owner_id = ANY(%s) AND watched_until < clock_timestamp() + interval '80 seconds'
    FOR NO KEY UPDATE SKIP LOCKED
)
"""  # noqa: S608 - likewise
_RENEW_APPLICATIONS: Final = f"""
UPDATE events_applicationcounter SET watched_until = {_WATCHED} WHERE application_id IN (
    SELECT application_id FROM events_applicationcounter
    WHERE application_id = ANY(%s) AND watched_until < clock_timestamp() + interval '80 seconds'
    FOR NO KEY UPDATE SKIP LOCKED
)
"""  # noqa: S608 - likewise
_LAST: Final = "SELECT owner_id, last FROM events_eventcounter WHERE owner_id = ANY(%s)"


def watch(subject: Subject) -> None:
    """Make writers notify of new events of a log for the next two minutes.

    Waits for a writer of the owner that is about to commit, so a read that follows finds its events.
    """
    statement = _WATCH_APPLICATION if subject.is_application else _WATCH_OWNER
    owner = None if subject.is_application else subject.id
    with acting_for(owner), connection.cursor() as cursor:
        cursor.execute(statement, {"id": subject.id, "row": new_id()})


@across_owners()
def renew_watches(subjects: Collection[Subject]) -> dict[UUID, int]:
    """Renew the watches of the open streams, and return the number of the last event of each owner.

    Across owners: those whose streams this process serves.
    """
    owners = [one.id for one in subjects if not one.is_application]
    applications = [one.id for one in subjects if one.is_application]
    with connection.cursor() as cursor:
        if applications:
            cursor.execute(_RENEW_APPLICATIONS, [applications])
        with transaction.atomic():
            cursor.execute(_RENEW_OWNERS, [owners])
        cursor.execute(_LAST, [owners])
        return dict(cursor.fetchall())
