"""Record the result of an attempt: done, try again later, or switch the webhook off."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction

from memsite.events.log import NewEvents, log_events
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.types import TEST, DeliveryStatus, LoggedType, OffReason
from memsite.events.webhooks.endpoints import note_states, switch_off
from memsite.events.webhooks.ports import redact
from memsite.events.webhooks.sending import Answer, Failure
from memsite.jobs import check_lease

#: Seconds before each attempt after the first, by Standard Webhooks: 5 s, 5 min, 30 min, 2 h, … 24 h.
RETRIES: Final = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
#: A pause is up to so much longer, so that what failed together is not tried together.
JITTER: Final = 0.1
#: After so long without success, a webhook is switched off.
FAILING_FOR: Final = timedelta(days=5)
#: Attempts in a row that may fail before the webhook pauses: a single event that is refused stops no other.
_TOLERATED: Final = 2
_FIRST_PAUSE: Final = 5.0
_LONGEST_PAUSE: Final = 300.0
#: Seconds for which a webhook pauses that asks for fewer requests, unless it says how long.
_SLOWED_PAUSE: Final = 60.0
_SLOWING: Final = frozenset({429, 502, 504})
_LONGEST_RETRY_AFTER: Final = 86_400.0
_GONE: Final = 410


def plan_retry(attempts: int, retry_after: float | None = None, *, chance: float) -> float | None:
    """Return the seconds until the next attempt; None if there is none.

    Args:
        attempts: Attempts that were made.
        retry_after: Seconds for which the receiver asks.
        chance: A random number in [0, 1).
    """
    if attempts > len(RETRIES):
        return None
    planned = RETRIES[attempts - 1] * (1.0 + JITTER * chance)
    return max(planned, min(retry_after or 0.0, _LONGEST_RETRY_AFTER))


def plan_pause(failures: int, status_code: int | None = None, retry_after: float | None = None) -> float:
    """Return for how many seconds a webhook gets nothing at all after attempts that failed in a row."""
    growing = 0.0
    if failures > _TOLERATED:
        growing = min(_FIRST_PAUSE * 2.0 ** min(failures - _TOLERATED - 1, 16), _LONGEST_PAUSE)
    requested = min(retry_after or 0.0, _LONGEST_RETRY_AFTER)
    if status_code in _SLOWING:
        requested = requested or _SLOWED_PAUSE
    return max(growing, requested)


def record_answer(
    delivery: WebhookDelivery, answer: Answer, now: datetime, *, lease: UUID, keep: bool
) -> None:
    """Record the result of an attempt. Nothing is recorded if webhook or delivery were deleted meanwhile.

    Args:
        now: When the attempt ended.
        lease: The lease of the job that made the attempt.
        keep: Whether the beginning of the answer may be kept.

    Raises:
        LeaseLost: If another job took over meanwhile.
    """
    owner = delivery.owner_id
    with transaction.atomic():
        check_lease(lease)
        webhooks = Webhook.objects.select_for_update(no_key=True)
        webhook = webhooks.filter(owner_id=owner, pk=delivery.webhook_id).first()
        rows = WebhookDelivery.objects.select_for_update(no_key=True)
        row = rows.filter(owner_id=owner, pk=delivery.pk).first()
        if webhook is None or row is None:
            return
        _note_attempt(row, answer, now, keep=keep)
        webhook.attempted_at = now
        if answer.failure is None:
            row.status = DeliveryStatus.DELIVERED
            webhook.failures, webhook.failing_since, webhook.paused_until = 0, None, None
        else:
            _note_failure(webhook, row, answer, now)
        row.save()
        webhook.save()


def _note_attempt(row: WebhookDelivery, answer: Answer, now: datetime, *, keep: bool) -> None:
    row.attempts += 1
    row.attempted_at = now
    row.duration_ms = answer.duration_ms
    row.status_code = answer.status_code
    row.error = answer.failure or ""
    text = answer.response.decode("utf-8", "replace").replace("\x00", "\ufffd")
    row.response = redact(text) if keep else ""


def _note_failure(webhook: Webhook, row: WebhookDelivery, answer: Answer, now: datetime) -> None:
    if row.type == TEST:  # somebody waits for its outcome, and can repeat it
        row.status = DeliveryStatus.FAILED
        return
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    delay = plan_retry(row.attempts, answer.retry_after, chance=random.random())  # noqa: S311 - no secret
    if delay is None or answer.status_code == _GONE:
        row.status = DeliveryStatus.FAILED
    else:
        row.next_attempt_at = now + timedelta(seconds=delay)
    pause = plan_pause(webhook.failures, answer.status_code, answer.retry_after)
    webhook.paused_until = now + timedelta(seconds=pause) if pause else None
    if not webhook.is_on:
        return
    if answer.status_code == _GONE:
        _disable(webhook, OffReason.GONE)
    elif now - webhook.failing_since >= FAILING_FOR and answer.failure != Failure.SECRET:
        _disable(webhook, OffReason.FAILING)


def _disable(webhook: Webhook, reason: OffReason) -> None:
    """Switch a webhook off, and notify its owner by an event."""
    switch_off(webhook, reason)
    webhook.save()
    note_states(webhook.owner_id)
    log_events(
        NewEvents(
            webhook.owner_id, LoggedType.WEBHOOK_DISABLED, action=reason.value, actor=f"webhook:{webhook.pk}"
        )
    )
