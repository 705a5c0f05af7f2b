"""Add, change and remove the webhooks of an owner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.events.log import queue_deliveries
from memsite.events.models import Webhook
from memsite.events.types import OffReason, Payload, select_types
from memsite.events.webhooks.destinations import check_url
from memsite.events.webhooks.signing import ROTATION, encrypt_secret, make_secret
from memsite.values import new_id, parse_id

#: Webhooks that one owner may have.
MOST_WEBHOOKS: Final = 20

# Waits for a writer of the owner that is about to commit; later ones see that there is a webhook.
_NOTE: Final = """
INSERT INTO events_eventcounter AS c (id, owner_id, application_id, last, logged_at, has_webhooks)
SELECT %(row)s, u.id, u.application_id, 0, clock_timestamp(), %(has)s
FROM accounts_user AS u WHERE u.id = %(owner)s
ON CONFLICT (owner_id) DO UPDATE SET has_webhooks = excluded.has_webhooks
RETURNING c.last
"""


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of a webhook; None keeps the present value."""

    url: str | None = None
    types: Sequence[str] | None = None
    payload: Payload | None = None
    enabled: bool | None = None


def list_webhooks(*, owner: UUID) -> list[Webhook]:
    """Return the webhooks of an owner, the oldest first."""
    return list(Webhook.objects.filter(owner_id=owner).order_by("created_at", "id"))


def get_webhook(webhook_id: UUID | str, *, owner: UUID, lock: bool = False) -> Webhook:
    """Return a webhook.

    Raises:
        NotFound: If there is none, or it is another owner's.
    """
    rows = Webhook.objects.select_for_update(no_key=True) if lock else Webhook.objects.all()
    identifier = parse_id(str(webhook_id))
    found = rows.filter(owner_id=owner, pk=identifier).first() if identifier else None
    if found is None:
        raise NotFound("There is no such webhook.")
    return found


def add_webhook(
    url: str, types: Sequence[str] = (), payload: Payload = Payload.THIN, *, owner: UUID
) -> tuple[Webhook, str]:
    """Add a webhook, which is sent the events that follow.

    Returns:
        The webhook, and its secret, which can be read only now.

    Raises:
        InvalidInput: For a URL to which the site does not send, or an unknown type.
        Conflict: If the owner has `MOST_WEBHOOKS`.
    """
    patterns = _check_types(types)
    check_url(url)
    secret = make_secret()
    with transaction.atomic():
        last = _note_webhooks(owner, has=True)  # first: two requests at once count one after the other
        if Webhook.objects.filter(owner_id=owner).count() >= MOST_WEBHOOKS:
            raise Conflict("You have 20 webhooks; remove one first.", {"limit": MOST_WEBHOOKS})
        row = Webhook.objects.create(
            owner_id=owner,
            url=url,
            types=patterns,
            payload=payload,
            secret=encrypt_secret(secret),
            cursor=last,
            created_at=timezone.now(),
        )
    return row, secret


def change_webhook(webhook_id: UUID | str, changes: Changes, *, owner: UUID) -> Webhook:
    """Change a webhook. One that is switched on again is sent what happened meanwhile.

    Raises:
        NotFound: If there is no such webhook.
        InvalidInput: As for a new one.
    """
    if changes.url is not None:
        check_url(changes.url)
    with transaction.atomic():
        webhook = get_webhook(webhook_id, owner=owner, lock=True)
        webhook.url = webhook.url if changes.url is None else changes.url
        webhook.types = webhook.types if changes.types is None else _check_types(changes.types)
        webhook.payload = changes.payload or webhook.payload
        if changes.enabled is not None and changes.enabled != webhook.is_on:
            _switch(webhook, OffReason.SWITCHED_OFF if webhook.is_on else None)
        webhook.save()
        note_states(owner)
        transaction.on_commit(queue_deliveries)
    return webhook


def remove_webhook(webhook_id: UUID | str, *, owner: UUID) -> UUID:
    """Delete a webhook with its deliveries, and return its id.

    Raises:
        NotFound: If there is no such webhook.
    """
    with transaction.atomic():
        webhook = get_webhook(webhook_id, owner=owner, lock=True)
        removed = webhook.pk
        webhook.delete()
        note_states(owner)
    return removed


def rotate_secret(webhook_id: UUID | str, *, owner: UUID) -> tuple[Webhook, str]:
    """Replace the secret of a webhook. For one more day, messages are also signed with the previous one.

    Raises:
        NotFound: If there is no such webhook.
    """
    secret = make_secret()
    with transaction.atomic():
        webhook = get_webhook(webhook_id, owner=owner, lock=True)
        webhook.previous_secret, webhook.previous_until = webhook.secret, timezone.now() + ROTATION
        webhook.secret = encrypt_secret(secret)
        webhook.save()
    return webhook, secret


def switch_off(webhook: Webhook, reason: OffReason) -> None:
    """Switch a locked webhook off; the caller saves it."""
    _switch(webhook, reason)


def note_states(owner: UUID) -> None:
    """Note for the writers of an owner's log whether a webhook is on. Call it when the webhooks are saved."""
    _note_webhooks(owner, has=Webhook.objects.filter(owner_id=owner, off_since__isnull=True).exists())


def _switch(webhook: Webhook, reason: OffReason | None) -> None:
    webhook.off_since = timezone.now() if reason else None
    webhook.off_reason = reason or ""
    webhook.failures, webhook.failing_since, webhook.paused_until = 0, None, None


def _note_webhooks(owner: UUID, *, has: bool) -> int:
    """Note whether the owner has webhooks, and return the number of the last event."""
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, {"row": new_id(), "owner": owner, "has": has})
        row = cursor.fetchone()
    if row is None:
        raise NotFound("This account has been deleted.")
    return int(row[0])


def _check_types(patterns: Sequence[str]) -> list[str]:
    """Return the patterns, each once."""
    kept = list(dict.fromkeys(one.strip() for one in patterns))
    if not all(kept):
        raise InvalidInput("A type must not be empty.", {"types": "empty"})
    select_types(kept)
    return kept
