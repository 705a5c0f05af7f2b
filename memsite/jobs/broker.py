"""django-q2's queue as Memsite uses it: each row (a ticket) carries only the id of a job."""

from __future__ import annotations

import random
import time
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import Error, connections
from django.db.models import QuerySet
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ
from django_q.tasks import async_task

from memsite.jobs import clock, processes
from memsite.jobs.conf import LONG, MOST_LONG, MOST_OF_ONE
from memsite.jobs.models import Job, Status

RUN: Final = "memsite.jobs.runner.run"
_PAUSE: Final = 1.0  # seconds between tries while the database is unavailable

#: The next tickets. `busy` has the jobs that run and those whose ticket a cluster has fetched, by owner and
#: length. An owner is chosen first: one with the fewest of them, by lot among equals, so that thousands of
#: jobs of one owner count as much as one job of another. Of an owner's tickets, the first due is first.
#: A ticket without a queued job is handed out, too: it is dropped when its job is claimed.
_NEXT: Final = """
WITH busy AS (
    SELECT j.owner_id, j.timeout >= %(long)s AS is_long, count(*) AS jobs,
        count(*) FILTER (WHERE j.status = 'queued' OR j.worker = %(worker)s) AS here
    FROM jobs_job AS j LEFT JOIN django_q_ormq AS q ON q.id = j.ticket
    WHERE j.status = 'running' OR (j.status = 'queued' AND j.run_after <= %(now)s AND q.lock > %(now)s)
    GROUP BY j.owner_id, is_long
)
SELECT q.id, q.lock, q.payload
FROM django_q_ormq AS q
LEFT JOIN jobs_job AS j ON j.ticket = q.id AND j.status = 'queued'
LEFT JOIN busy AS alike ON alike.owner_id = j.owner_id AND alike.is_long = (j.timeout >= %(long)s)
WHERE q.key = %(key)s AND q.lock <= %(now)s
    AND coalesce(alike.jobs, 0) < %(most_of_one)s
    AND (j.id IS NULL OR j.timeout < %(long)s
        OR (SELECT coalesce(sum(here), 0) FROM busy WHERE is_long) < %(most_long)s)
ORDER BY (SELECT coalesce(sum(jobs), 0) FROM busy WHERE busy.owner_id = j.owner_id),
    hashtextextended(coalesce(j.owner_id::text, ''), %(lot)s), q.lock, q.id
LIMIT %(bulk)s
"""


class Tickets(ORM):  # type: ignore[misc] # django-q2 has no types
    """django-q2's ORM broker, made fair between owners and tolerant of a lost database connection."""

    @staticmethod
    def get_connection(list_key: str | None = None) -> QuerySet[Any]:
        """Return the queue ordered by due time.

        django-q2 reads rows in the order of the disk, where a new row may come before an old one.
        """
        rows: QuerySet[Any] = ORM.get_connection(list_key).order_by("lock", "id")
        return rows

    def dequeue(self) -> list[tuple[int, str]] | None:
        """Return the next tickets.

        Returns:
            The tickets; None when there are none or the database is unavailable. On an error,
            django-q2's pusher would sleep for 10 s.
        """
        try:
            tickets = self._take()
        except Error:
            connections[Conf.ORM].close()
            time.sleep(_PAUSE)
            return None
        if not tickets:
            time.sleep(Conf.POLL)
        return tickets or None

    def _take(self) -> list[tuple[int, str]]:
        """Lock the tickets that are due by the database's clock; django-q2 itself goes by the process's."""
        now = clock.now()
        until = now + timedelta(seconds=Conf.RETRY)
        wanted = {
            "now": now,
            "key": self.list_key,
            "long": LONG,
            "most_long": MOST_LONG,
            "most_of_one": MOST_OF_ONE,
            "worker": processes.worker(),
            "lot": random.getrandbits(32),
            "bulk": Conf.BULK,
        }
        with connections[Conf.ORM].cursor() as cursor:
            cursor.execute(_NEXT, wanted)
            due = cursor.fetchall()
        return [
            (number, payload)
            for number, lock, payload in due
            if self.get_connection().filter(id=number, lock=lock).update(lock=until)
        ]

    def acknowledge(self, task_id: int) -> None:
        """Delete a ticket.

        A ticket that cannot be deleted now is handed out again; its job is done by then, so it is dropped.
        """
        try:
            super().acknowledge(task_id)
        except Error:
            connections[Conf.ORM].close()


class _OneTicket(Tickets):
    """Broker that stores one row with a given due time and remembers its id."""

    def __init__(self, due: datetime) -> None:
        super().__init__()
        self.due = due
        self.number = 0

    def enqueue(self, task: str) -> int:
        row = self.get_connection().create(key=self.list_key, payload=task, lock=self.due)
        self.number = int(row.pk)
        return self.number


def issue_ticket(job: Job) -> None:
    """Write a ticket for `job`, due at its `run_after`, in the caller's transaction.

    Sets `ticket` and `ticketed_at` on the instance; the caller saves them.
    """
    broker = _OneTicket(job.run_after)
    options = {"broker": broker, "timeout": job.timeout, "task_name": job.task[:100]}
    async_task(RUN, str(job.pk), q_options=options)
    job.ticket, job.ticketed_at = broker.number, clock.now()


def withdraw_ticket(job: Job) -> None:
    """Delete the job's ticket, if it has one."""
    if job.ticket is not None:
        OrmQ.objects.filter(pk=job.ticket).delete()


def list_busy_owners() -> QuerySet[Any]:
    """Return the owners who have running jobs, so that further ones may have to wait."""
    return Job.objects.filter(status=Status.RUNNING, owner_id__isnull=False).values("owner_id")


def find_existing(numbers: Any) -> QuerySet[Any]:  # noqa: ANN401 - numbers, or a query that gives them
    """Return the tickets with these numbers that are still in the queue."""
    rows: QuerySet[Any] = OrmQ.objects.filter(pk__in=numbers)
    return rows


def release_fetched(numbers: Any, *, before: datetime) -> int:  # noqa: ANN401 - as above
    """Make tickets available again that a cluster fetched before a moment and never used.

    Fetching a ticket locks it for `retry` seconds.

    Args:
        numbers: Ticket numbers, or a query that yields them.
        before: Tickets fetched before this moment are made available.

    Returns:
        How many tickets were made available.
    """
    now = clock.now()
    fetched_before = before + timedelta(seconds=Conf.RETRY)
    return int(find_existing(numbers).filter(lock__gt=now, lock__lte=fetched_before).update(lock=now))
