"""Make deliveries of events, and what a person does to them: test, try again, replay."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.events.log import queue_deliveries
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.reading import LoggedEvent, Subject, get_log_state, load_events, make_reset, render_event
from memsite.events.types import RESET, TEST, DeliveryStatus, Payload, select_types
from memsite.events.webhooks.endpoints import get_webhook
from memsite.events.webhooks.ports import render_memory
from memsite.rest.throttling import count_within
from memsite.values import parse_id, round_numbers

#: Events that become deliveries at once. The others wait in the log.
EVENTS_AT_ONCE: Final = 200
#: Bytes of a body at most. Beyond them, the memory is left out.
BODY_BYTES: Final = 20_000
#: Tests, and deliveries that are tried again by hand, of one owner within an hour, by page and API together:
#: nobody is to use the site to send many requests to somebody else's server.
MOST_BY_HAND: Final = 60
_HOUR: Final = 3600


def list_deliveries(
    webhook_id: UUID | str, *, owner: UUID, status: DeliveryStatus | None = None
) -> QuerySet[WebhookDelivery]:
    """Return the deliveries of a webhook, to be ordered and cut: all, or those of one status.

    Raises:
        NotFound: If there is no such webhook.
    """
    webhook = get_webhook(webhook_id, owner=owner)
    rows = WebhookDelivery.objects.filter(owner_id=owner, webhook=webhook)
    return rows if status is None else rows.filter(status=status)


def add_test(webhook_id: UUID | str, *, owner: UUID) -> WebhookDelivery:
    """Send a webhook an event of type `webhook.test`, also if it is off.

    Raises:
        NotFound: If there is no such webhook.
        TooManyRequests: After `MOST_BY_HAND` tests and repetitions of one owner within an hour.
    """
    now = timezone.now()
    _count_by_hand(owner)
    with transaction.atomic():
        webhook = get_webhook(webhook_id, owner=owner)
        data = render_event(LoggedEvent(0, TEST, now, None, None, "", None, "")) | {"id": None}
        row = _create(webhook, TEST, data, now)
        transaction.on_commit(queue_deliveries)
    return row


def retry_delivery(webhook_id: UUID | str, delivery_id: UUID | str, *, owner: UUID) -> WebhookDelivery:
    """Try a delivery again now, with all its attempts.

    Raises:
        NotFound: If there is no such delivery.
        Conflict: If the webhook is off.
        TooManyRequests: As `add_test`.
    """
    _count_by_hand(owner)
    with transaction.atomic():
        webhook = get_webhook(webhook_id, owner=owner, lock=True)
        rows = WebhookDelivery.objects.select_for_update(no_key=True).filter(owner_id=owner, webhook=webhook)
        identifier = parse_id(str(delivery_id))
        row = rows.filter(pk=identifier).first() if identifier else None
        if row is None:
            raise NotFound("There is no such delivery.")
        if row.type != TEST:
            _check_on(webhook)
        row.status, row.attempts, row.next_attempt_at = DeliveryStatus.PENDING, 0, timezone.now()
        row.save(update_fields=["status", "attempts", "next_attempt_at"])
        _end_pause(webhook)
        transaction.on_commit(queue_deliveries)
    return row


def replay_events(webhook_id: UUID | str, after: int, *, owner: UUID) -> int:
    """Send a webhook again all events after a number, also those that it has received.

    Returns:
        The number of the last event of the log.

    Raises:
        NotFound: If there is no such webhook.
        InvalidInput: If the log does not hold every event after that number.
        Conflict: If the webhook is off.
    """
    with transaction.atomic():
        webhook = get_webhook(webhook_id, owner=owner, lock=True)
        _check_on(webhook)
        state = get_log_state(Subject(owner))
        if not state.continues(after):
            message = (
                f"after must be between {state.first - 1} and {state.last}: only these events are in the log."
            )
            raise InvalidInput(message, {"after": "not in the log", "first": state.first, "last": state.last})
        webhook.cursor = min(webhook.cursor, after)
        webhook.save(update_fields=["cursor"])
        _end_pause(webhook)
        transaction.on_commit(queue_deliveries)
    return state.last


def make_due_deliveries(webhook: Webhook, now: datetime) -> None:
    """Make deliveries of the next events of the log, in order. The webhook is locked.

    An event that is sent once more keeps its row, and so its id at the receiver.
    """
    subject = Subject(webhook.owner_id)
    state = get_log_state(subject)
    if not state.continues(webhook.cursor):
        webhook.cursor = state.last if webhook.cursor > state.last else state.first - 1
        _create(webhook, RESET, make_reset(state), now)
    page = load_events(subject, webhook.cursor, select_types(webhook.types), most=EVENTS_AT_ONCE)
    WebhookDelivery.objects.bulk_create(
        [_make_delivery(webhook, event, now) for event in page.events],
        update_conflicts=True,
        unique_fields=["owner", "webhook", "number"],
        update_fields=["status", "attempts", "next_attempt_at"],
    )
    webhook.cursor = page.last
    webhook.save(update_fields=["cursor"])


def name_message(delivery: WebhookDelivery) -> str:
    """Return the id of a message, which is the same in all its attempts."""
    if delivery.number is not None:
        return f"evt_{delivery.number}"
    return f"evt_{delivery.type.rpartition('.')[2]}_{delivery.pk.hex}"


def make_body(delivery: WebhookDelivery, payload: str) -> tuple[str, bool]:
    """Return the body to send, and whether it holds a memory.

    A memory is looked up now: one that was erased, disputed or forgotten meanwhile is left out.
    """
    data: dict[str, Any] = dict(delivery.data)
    if payload == Payload.FULL:
        memory_id = parse_id(data["memory"] or "")
        data["object"] = render_memory(memory_id, owner=delivery.owner_id) if memory_id else None
    body = _encode(delivery, data)
    if len(body) >= BODY_BYTES:
        data["object"] = None
        body = _encode(delivery, data)
    return body.decode(), data.get("object") is not None


def _encode(delivery: WebhookDelivery, data: dict[str, Any]) -> bytes:
    return orjson.dumps({"type": delivery.type, "timestamp": data["created_at"], "data": round_numbers(data)})


def _make_delivery(webhook: Webhook, event: LoggedEvent, now: datetime) -> WebhookDelivery:
    return WebhookDelivery(
        owner_id=webhook.owner_id,
        webhook=webhook,
        number=event.number,
        type=event.type,
        data=render_event(event),
        created_at=now,
        next_attempt_at=now,
    )


def _create(webhook: Webhook, event_type: str, data: dict[str, Any], now: datetime) -> WebhookDelivery:
    return WebhookDelivery.objects.create(
        owner_id=webhook.owner_id,
        webhook=webhook,
        type=event_type,
        data=data,
        created_at=now,
        next_attempt_at=now,
    )


def _count_by_hand(owner: UUID) -> None:
    count_within(f"webhooks by hand:{owner}", MOST_BY_HAND, _HOUR)


def _check_on(webhook: Webhook) -> None:
    if not webhook.is_on:
        raise Conflict("This webhook is off. Switch it on first.", {"off_reason": webhook.off_reason})


def _end_pause(webhook: Webhook) -> None:
    webhook.paused_until = None
    webhook.save(update_fields=["paused_until"])
