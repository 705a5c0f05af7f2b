"""The job that sends events to webhooks.

One job sends for all owners, and a lease keeps it alone, so that receivers that hang occupy one of the
worker's processes at most. It sends to several webhooks at a time, each on a thread, and to one webhook one
message after the other. The threads use no database: what to send is loaded before, and what came of it is
recorded after, by the job itself. A delivery stays due until its outcome is recorded, so a job that is killed
sends some messages a second time, with the same id, and loses none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from memsite.errors import Unavailable
from memsite.events.log import DELIVER_TIMEOUT, queue_deliveries
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.types import TEST, DeliveryStatus
from memsite.events.webhooks.deliveries import make_body, make_due_deliveries, name_message
from memsite.events.webhooks.outcomes import record_answer
from memsite.events.webhooks.sending import Answer, Failure, Message, send_message
from memsite.events.webhooks.signing import list_secrets, sign_message
from memsite.jobs import enqueue, hold_lease
from memsite.serving.postgres import across_owners, acting_for

#: Webhooks that are sent to at a time.
AT_ONCE: Final = 16
#: Seconds for which a job begins attempts. With the last one it stays below its timeout.
RUN_SECONDS = 40.0
#: Seconds between two looks for what is due while attempts are under way.
_LOOK_SECONDS: Final = 0.2
_LEASE: Final = "events.webhooks"

# A webhook is due if it may be sent to, and has a delivery that is due or events that are none yet. A test is
# sent whatever its state.
_DUE: Final = """
SELECT w.owner_id, w.id FROM events_webhook AS w JOIN events_eventcounter AS c ON c.owner_id = w.owner_id
CROSS JOIN LATERAL (
    SELECT w.off_since IS NULL AND coalesce(w.paused_until, %(now)s) <= %(now)s AS is_open
) AS s
WHERE NOT w.id = ANY(%(busy)s) AND (s.is_open AND c.last <> w.cursor OR EXISTS (
    SELECT FROM events_webhookdelivery AS d
    WHERE d.owner_id = w.owner_id AND d.webhook_id = w.id AND d.status = 'pending'
        AND d.next_attempt_at <= %(now)s AND (s.is_open OR d.type = %(test)s)
))
ORDER BY w.attempted_at NULLS FIRST LIMIT %(most)s
"""
_NEXT: Final = """
SELECT min(greatest(d.next_attempt_at, w.paused_until)) FROM events_webhookdelivery AS d
JOIN events_webhook AS w ON w.owner_id = d.owner_id AND w.id = d.webhook_id
WHERE d.status = 'pending' AND w.off_since IS NULL
"""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt that is under way.

    Attributes:
        keep: Whether the beginning of the answer may be kept: it may repeat a memory that was sent.
    """

    delivery: WebhookDelivery
    keep: bool


@dataclass(slots=True)
class Deliverer:
    """Sends what is due.

    Attributes:
        lease: The lease under which it works.
        clock: Returns the present time.
    """

    lease: UUID
    clock: Callable[[], datetime] = timezone.now
    _under_way: dict[Future[Answer], _Attempt] = field(default_factory=dict)

    def run(self) -> int:
        """Send until nothing is due, or the time is over; return how many attempts were made."""
        ends, made = time.monotonic() + RUN_SECONDS, 0
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook")
        try:
            while True:
                found = self._begin_attempts(pool) if time.monotonic() < ends else 0
                if not self._under_way and not found:
                    return made
                made += self._record_attempts()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _begin_attempts(self, pool: ThreadPoolExecutor) -> int:
        """Begin the next attempt of each webhook that is due; return how many are."""
        busy = [one.delivery.webhook_id for one in self._under_way.values()]
        due = find_due(self.clock(), busy, AT_ONCE - len(busy))
        for owner, webhook_id in due:
            with acting_for(owner):
                self._begin_attempt(pool, owner, webhook_id)
        return len(due)

    def _begin_attempt(self, pool: ThreadPoolExecutor, owner: UUID, webhook_id: UUID) -> None:
        now = self.clock()
        with transaction.atomic():
            webhooks = Webhook.objects.select_for_update(no_key=True)
            webhook = webhooks.filter(owner_id=owner, pk=webhook_id).first()
            delivery = _take_next(webhook, now) if webhook else None
        if webhook is None or delivery is None:
            return
        body, has_memory = make_body(delivery, webhook.payload)
        attempt = _Attempt(delivery, keep=not has_memory)
        try:
            headers = sign_message(name_message(delivery), now, body, list_secrets(webhook, now))
        except Unavailable:
            self._under_way[pool.submit(Answer, Failure.SECRET)] = attempt
            return
        message = Message(webhook.url, headers, body.encode())
        self._under_way[pool.submit(send_message, message)] = attempt

    def _record_attempts(self) -> int:
        """Wait a moment for attempts to end, and record their results; return how many ended."""
        ended, _ = wait(self._under_way, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
        for one in ended:
            attempt = self._under_way.pop(one)
            with acting_for(attempt.delivery.owner_id):
                record_answer(
                    attempt.delivery, one.result(), self.clock(), lease=self.lease, keep=attempt.keep
                )
        return len(ended)


def deliver_due() -> int:
    """Send what is due to all webhooks, and queue the job for what is due within a minute. A job.

    Returns:
        How many attempts were made.

    Raises:
        LeaseBusy: If another job is at it; this one is tried again soon.
    """
    with hold_lease(_LEASE, DELIVER_TIMEOUT) as lease:
        made = Deliverer(lease).run()
    queue_next()
    return made


def sweep() -> None:
    """Queue the job if something is due: what a killed worker left, or what waited longer. A schedule."""
    if find_due(timezone.now(), (), 1):
        queue_deliveries()
    else:
        queue_next()


def queue_next() -> None:
    """Queue the job for the next delivery that is due, if it is due before the next sweep."""
    due = _find_next()
    delay = (due - timezone.now()).total_seconds() if due else None
    if delay is not None and delay < 60.0:  # noqa: PLR2004 - the schedule's minute
        enqueue(
            "memsite.events.webhooks.delivering.deliver_due",
            unique_key="events.webhooks",
            delay=max(delay, 0.0),
            timeout=DELIVER_TIMEOUT,
        )


@across_owners()
def find_due(now: datetime, busy: Collection[UUID], most: int) -> list[tuple[UUID, UUID]]:
    """Return the owners and ids of webhooks that are due. Across owners: one job sends for all.

    Args:
        busy: Webhooks to leave out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {"now": now, "busy": list(busy), "most": max(most, 0), "test": TEST})
        return [(row[0], row[1]) for row in cursor.fetchall()]


@across_owners()
def _find_next() -> datetime | None:
    """Return when the next delivery is due. Across owners: one job sends for all."""
    with connection.cursor() as cursor:
        cursor.execute(_NEXT)
        row = cursor.fetchone()
    return row[0] if row else None


def _take_next(webhook: Webhook, now: datetime) -> WebhookDelivery | None:
    """Return the delivery of a locked webhook that is due next. If none is, make those of new events."""
    is_open = webhook.is_on and (webhook.paused_until is None or webhook.paused_until <= now)
    if (found := _find_due_delivery(webhook, now, only_tests=not is_open)) or not is_open:
        return found
    make_due_deliveries(webhook, now)
    return _find_due_delivery(webhook, now, only_tests=False)


def _find_due_delivery(webhook: Webhook, now: datetime, *, only_tests: bool) -> WebhookDelivery | None:
    rows = WebhookDelivery.objects.filter(
        owner_id=webhook.owner_id,
        webhook=webhook,
        status=DeliveryStatus.PENDING,
        next_attempt_at__lte=now,
    )
    if only_tests:
        rows = rows.filter(type=TEST)
    return rows.order_by("next_attempt_at", F("number").asc(nulls_first=True), "id").first()
